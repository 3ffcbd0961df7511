//! An own kind in a function, which the module that kube's derive is in cannot see.
fn main() {
    use operatorkit::prelude::*;

    #[operator(group = "demo.example.com", version = "v1", kind = "WebApp", resources(Web))]
    pub struct WebAppSpec {
        pub image: String,
    }

    #[resource]
    pub struct Web;

    impl Step for Web {
        type Operator = WebApp;
        type Output = ();
        async fn ensure_created(&self, _: &WebApp, _: &Cx<Self>) -> Result<Flow<()>> {
            Ok(().into())
        }
    }
}
