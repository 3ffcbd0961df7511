//! The program `operatorkit-apiserver`: a Kubernetes API server on a port.

use std::process::ExitCode;

use operatorkit_apiserver::{ApiServer, serve::program};

fn main() -> ExitCode {
    program::main::<ApiServer>()
}
