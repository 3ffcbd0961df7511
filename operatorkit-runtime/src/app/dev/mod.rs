//! The command `dev`: the operators on a Kubernetes API server in this process, shown as they work.
//!
//! | module | what |
//! |---|---|
//! | [`arguments`] | what can be said on the command line |
//! | [`home`] | the server, and the kubeconfig for those who want to look |
//! | [`samples`] | the objects that are made to be reconciled |
//! | [`show`] | up, and down again |
//! | [`view`] | what there is to see: pure |
//! | [`screen`] | where it is shown, beside the logs |

mod arguments;
mod home;
mod samples;
mod screen;
mod show;
#[cfg(test)]
mod tests;
mod view;

pub(super) use arguments::DevArgs;

use anyhow::{Context as _, ensure};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use self::{
    home::Home,
    samples::Sample,
    screen::Screen,
    show::Show,
    view::{Operator, View},
};
use super::{App, RunSettings, crds, descriptions::Descriptions, logging, panics, signals::Signals, supervise};
use crate::progress::Onlooker;

/// Runs until Ctrl-C and what it makes is deleted, or, `--once`, until the samples were ready and are gone again.
pub(super) fn run(app: App, args: &DevArgs) -> anyhow::Result<()> {
    app.check()?;
    let samples = samples::read(&app.samples, &args.files)?;
    ensure!(
        !args.once || !samples.is_empty(),
        "`dev --once` needs an object to make: one by `App::sample`, or a file by `--file`"
    );
    let screen = Screen::stdout();
    logging::install_on(screen.clone(), screen.is_terminal(), &args.log_level)?;
    let runtime = super::command::runtime()?;
    let result = runtime.block_on(run_on(app, args, &samples, screen));
    // Whoever had to be waited for has been; a thread that a user's code blocks must not keep the process.
    runtime.shutdown_background();
    result
}

async fn run_on(app: App, args: &DevArgs, samples: &[Sample], screen: Screen) -> anyhow::Result<()> {
    let mut signals = Signals::listen().context("cannot listen for signals")?;
    let home = Home::start(&app.name, args.pace(&screen)).await?;
    let operators: Vec<_> = app.operators.iter().map(|it| Operator::of(&**it)).collect();
    screen.say(&home.welcome(&operators));
    home.install(crds::of(&app, Descriptions::Full)?).await?;

    let (told, progress) = mpsc::unbounded_channel();
    let onlooker = Onlooker::new(move |progress| {
        // Nobody to show it to any more: the end has come.
        let _shown = told.send(progress);
    });
    let settings = RunSettings {
        resync: app.resync,
        ..RunSettings::default()
    };
    let env = super::Env::new(home.client(), &app.name, &[])
        .watched_by(onlooker)
        .in_layers(app.layers);
    let shutdown = CancellationToken::new();
    let stopped = shutdown.clone();
    let mut running = tokio::spawn(async move { supervise::run_all(app.operators, &env, &settings, &stopped).await });
    let mut show = Show::new(home.cluster(), View::new(operators), screen, progress);
    let shown = tokio::select! {
        // An operator that could not start, say.
        ended = &mut running => return panics::flatten(ended),
        shown = show.run(samples, args, &mut signals) => shown,
    };
    shutdown.cancel();
    shown.and(panics::flatten(running.await))
}
