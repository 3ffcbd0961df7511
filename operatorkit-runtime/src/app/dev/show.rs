//! Up, and down again.

use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{sleep, timeout},
};

use super::{
    DevArgs,
    samples::{Made, Sample},
    screen::Screen,
    view::View,
};
use crate::{app::signals::Signals, cluster::Cluster, progress::Progress};

/// How long an object that was let go may stay.
const GOING: Duration = Duration::from_secs(10);

/// Shows what the operators do.
pub(super) struct Show {
    cluster: Cluster,
    view: View,
    screen: Screen,
    progress: UnboundedReceiver<Progress>,
}

impl Show {
    pub(super) fn new(cluster: Cluster, view: View, screen: Screen, progress: UnboundedReceiver<Progress>) -> Self {
        Self {
            cluster,
            view,
            screen,
            progress,
        }
    }

    /// Makes the samples, and deletes them and whatever else there is when it is time.
    pub(super) async fn run(
        &mut self,
        samples: &[Sample],
        args: &DevArgs,
        signals: &mut Signals,
    ) -> anyhow::Result<()> {
        let mut operated = Vec::new();
        for sample in samples {
            let made = sample.make(&self.cluster).await?;
            self.screen.say(&format!("made {} {}", made.kind.kind, made.name));
            operated.extend(Some(made).filter(|made| self.view.operates(&made.kind)));
        }
        if !args.once {
            self.screen.say("Ctrl-C deletes what there is, and ends");
        }
        let ready = |view: &View| args.once && operated.iter().all(|made| view.is_ready(made));
        let limit = if args.once { args.timeout } else { Duration::MAX };
        tokio::select! {
            in_time = timeout(limit, self.follow(ready)) => if in_time.is_err() {
                bail!("not ready within {limit:?}: {}", self.trouble(&operated));
            },
            _signal = signals.next() => {}
        }
        tokio::select! {
            down = timeout(limit, self.down()) => match down {
                Ok(down) => down,
                Err(_) => bail!("not gone within {limit:?}: {}", self.view.trouble()),
            },
            signal = signals.next() => bail!("{signal}, the second signal: ended in the middle of a deletion"),
        }
    }

    /// Deletes all objects, and follows until they are gone.
    async fn down(&mut self) -> anyhow::Result<()> {
        let left = self.view.left();
        for made in &left {
            self.screen.say(&format!("deleting {} {}", made.kind.kind, made.name));
            made.delete(&self.cluster).await?;
        }
        self.follow(|view| view.left().is_empty()).await;
        for made in &left {
            timeout(GOING, self.gone(made))
                .await
                .with_context(|| format!("the {} {} stays", made.kind.kind, made.name))??;
        }
        Ok(())
    }

    async fn gone(&self, made: &Made) -> anyhow::Result<()> {
        while made.live(&self.cluster).await?.is_some() {
            sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }

    /// Shows what happens until it is enough.
    async fn follow(&mut self, enough: impl Fn(&View) -> bool) {
        while !enough(&self.view) {
            let Some(progress) = self.progress.recv().await else {
                // Nobody is left to work on anything; whoever waits for them says so.
                return std::future::pending().await;
            };
            let news = self.view.take(&progress);
            if self.screen.is_terminal() {
                self.screen.draw(self.view.table());
            } else {
                news.iter().for_each(|line| self.screen.say(line));
            }
        }
    }

    fn trouble(&self, operated: &[Made]) -> String {
        let unseen = operated
            .iter()
            .find(|made| !self.view.left().iter().any(|it| it.name == made.name));
        match unseen {
            Some(made) => format!("no operator has looked at the {} {}", made.kind.kind, made.name),
            None => self.view.trouble(),
        }
    }
}
