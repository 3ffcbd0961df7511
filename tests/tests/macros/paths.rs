//! operatorkit re-exported by another crate, under another name.

/// What such a crate looks like.
pub(crate) mod mid {
    pub(crate) use operatorkit as facade;
}

pub(crate) mod user {
    use super::mid::facade as kit;
    use super::mid::facade::{Cx, Flow, Result, Step, data, operator, resource};

    #[operator(
        crate = kit,
        group = "demo.example.com", version = "v1", kind = "Far", status = FarStatus, resources(Web),
    )]
    pub(crate) struct FarSpec {
        pub(crate) size: Size,
    }

    #[data(crate = super::mid::facade)]
    #[derive(Default)]
    pub(crate) struct FarStatus {
        pub(crate) url: Option<String>,
    }

    #[data(crate = super::mid::facade)]
    pub(crate) enum Size {
        Small,
        Exact(u32),
    }

    #[resource(crate = super::mid::facade)]
    pub(crate) struct Web;

    impl Step for Web {
        type Operator = Far;
        type Output = ();

        async fn ensure_created(&self, _: &Far, _: &Cx<Self>) -> Result<Flow<()>> {
            Ok(().into())
        }
    }
}

#[test]
fn the_kind_is_the_same_by_any_path() {
    use operatorkit::{Operator as _, kube::Resource as _};
    assert_eq!(user::Far::api_version(&()), "demo.example.com/v1");
    let graph = user::Far::graph(user::FarResources { web: user::Web });
    assert_eq!(format!("{graph:?}"), r#"["web"]"#);
}
