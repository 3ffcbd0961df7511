//! The server as the program runs it.

use std::error::Error;

use super::ApiServer;
use crate::{
    Body,
    http::ApiService,
    serve::{
        program::{self, Controllers, Settings},
        state::State,
    },
};

impl program::Core for ApiServer {
    type Service = ApiService;
    type Body = Body;

    async fn start(settings: Settings) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let builder = Self::builder()
            .rbac(settings.rbac)
            .controllers(settings.controllers != Controllers::None)
            .workloads(settings.controllers == Controllers::All);
        match settings.state {
            Some(state) => builder.resume(&state),
            None => Ok(builder.start()),
        }
    }

    fn service(&self) -> ApiService {
        self.open_service()
    }

    fn version(&self) -> u64 {
        self.resource_version()
    }

    fn state(&self) -> State {
        self.state()
    }

    async fn stop(&self) {
        self.core.shutdown.cancel();
    }
}
