//! Rules in CEL: their form.

use operatorkit::prelude::*;

#[operator(
    group = "demo.example.com", version = "v1", kind = "WebApp",
    validation,
    validation = "self.min > 0",
    validation(),
    validation(message = "first"),
    validation(" "),
    validation("self.min > 0", message = "two\nlines"),
    validation("self.min > 0 &&\nself.min < 9"),
    validation("self.min > 0", reason = "Invalid", field_path = "min", messages = "x"),
    validation("self.min > 0", optional_old_self, object = true),
    resources(Web),
)]
struct WebAppSpec {
    #[validation]
    #[validation("self > 0", object)]
    #[validation("self > 0", message = "must be positive", reason = "FieldValueInvalid")]
    min: i32,
}

#[operator(for = WebApp, selector = all, validation("self.spec.min > 0"), resources(Other))]
struct Existing;

#[resource]
struct Other;

impl Step for Other {
    type Operator = Existing;
    type Output = ();
    async fn ensure_created(&self, _: &WebApp, _: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

#[resource(validation("self > 0"))]
struct Web;

impl Step for Web {
    type Operator = WebApp;
    type Output = ();
    async fn ensure_created(&self, _: &WebApp, _: &Cx<Self>) -> Result<Flow<()>> {
        Ok(().into())
    }
}

#[data(validation(self.a))]
enum Data {
    A {
        #[validation(3)]
        a: i32,
    },
}

fn main() {}
