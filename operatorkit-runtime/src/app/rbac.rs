//! The command `rbac`: the least rights that the app needs, as YAML.

use super::{App, install_args::InstallArgs, rights, yaml};

/// Prints the ServiceAccount, the roles and their bindings. What cannot be derived is told on stderr.
pub(super) fn print(app: &App, args: &InstallArgs) -> anyhow::Result<()> {
    app.check()?;
    let needs = args.needs(app)?;
    tell(app, &needs);
    yaml::print(&yaml::documents(&rights::objects(&needs, &args.installation(app)?)?)?)
}

/// Tells what a person has to add.
pub(super) fn tell(app: &App, needs: &rights::Needs) {
    for note in needs.notes() {
        eprintln!("{}: {note}", app.name);
    }
}
