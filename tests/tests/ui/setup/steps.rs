// Steps of an operator that do nothing: `steps!(WebApp: Web, Network);`.
macro_rules! steps {
    ($operator:ident: $($step:ident),*) => {$(
        impl Step for $step {
            type Operator = $operator;
            type Output = ();
            async fn ensure_created(&self, _: &<$operator as operatorkit::Operator>::Object, _: &Cx<Self>) -> Result<Flow<()>> {
                Ok(().into())
            }
        }
    )*};
}
