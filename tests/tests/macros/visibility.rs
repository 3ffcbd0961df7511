//! What is made of a spec is as visible as the spec.

macro_rules! operator {
    ($module:ident: $($vis:tt)*) => {
        pub(crate) mod $module {
            use operatorkit::{Cx, Flow, Result, Step, data, operator, resource};

            #[operator(group = "demo.example.com", version = "v1", kind = "Seen", status = SeenStatus, resources(Part))]
            $($vis)* struct SeenSpec {
                pub(crate) width: u32,
            }

            #[data]
            #[derive(Default)]
            $($vis)* struct SeenStatus {}

            #[resource]
            $($vis)* struct Part;

            impl Step for Part {
                type Operator = Seen;
                type Output = ();

                async fn ensure_created(&self, object: &Seen, _: &Cx<Self>) -> Result<Flow<()>> {
                    assert_eq!(object.spec.width, 1);
                    Ok(().into())
                }
            }

            pub(crate) fn resources() -> String {
                let _object = Seen::new("x", SeenSpec { width: 1 });
                format!("{:?}", SeenResources { part: Part })
            }
        }
    };
}

operator!(everywhere: pub(crate));
operator!(nearby: pub(super));
operator!(within: pub(in crate::visibility));
operator!(here:);

#[test]
fn a_kind_is_seen_where_its_spec_is() {
    let _seen = (
        everywhere::Seen::new("x", everywhere::SeenSpec { width: 1 }),
        nearby::SeenResources { part: nearby::Part },
        within::Seen::new("x", within::SeenSpec { width: 1 }),
    );
    let resources = [
        everywhere::resources(),
        nearby::resources(),
        within::resources(),
        here::resources(),
    ];
    assert_eq!(resources, ["SeenResources"; 4]);
}
