//! What `operatorkit-apiserver` costs, beside the real control plane: one table.
//!
//! `cargo bench -p operatorkit-tests --bench apiserver`; with `-- embedded` without the real one.
//!
//! | module | what |
//! |---|---|
//! | [`door`] | a way to a server: in process, or over loopback |
//! | [`program`] | the program in a process of its own |
//! | [`real`] | the real control plane |
//! | [`memory`] | what a process holds |
//! | [`verbs`] | one request after the other |
//! | [`many`] | many objects: filling, listing |
//! | [`watches`] | many watches |
//! | [`report`] | the table |

mod door;
mod many;
mod memory;
mod program;
mod real;
mod report;
mod verbs;
mod watches;

use std::{env, process::ExitCode, time::Instant};

use operatorkit_apiserver::{ApiServer, serve};
use tokio::runtime::Runtime;

use self::{
    door::Door,
    program::Program,
    real::Real,
    report::{Table, kilobytes, median, megabytes, time},
};

/// How often a start is measured.
const STARTS: usize = 11;

fn main() -> ExitCode {
    let begin = Instant::now();
    match env::var(program::PART).as_deref() {
        Ok("serve") => return serve::program::main::<ApiServer>(),
        Ok("start") => program::print_start(begin),
        _ => measure(),
    }
    ExitCode::SUCCESS
}

fn measure() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let runtime = runtime.expect("a runtime");
    let with_real = !env::args().any(|argument| argument == "embedded");
    let real = with_real.then(Real::start).flatten();
    let mut table = Table::default();

    let in_process = (0..STARTS).map(|_| program::start_in_process()).collect();
    let mut program = Program::start(&runtime);
    let mut starts = vec![program.started];
    let mut empty = vec![program.resident()];
    for _ in 1..STARTS {
        program = Program::start(&runtime);
        starts.push(program.started);
        empty.push(program.resident());
    }
    let cell = real.as_ref().map(|real| time(real.started));
    table.row(
        "start to first answer",
        "20 ms",
        [Some(time(median(in_process))), Some(time(median(starts))), cell],
    );
    let cell = real.as_ref().map(|real| megabytes(real.resident()));
    table.row("resident, empty", "30 MB", [None, Some(megabytes(median(empty))), cell]);

    let server = runtime.block_on(async { ApiServer::start() });
    let doors = [
        Some(Door::Service(server.service())),
        Some(program.door.clone()),
        real.as_ref().map(|real| real.door(&runtime)),
    ];
    one_by_one(&mut table, &runtime, &doors);
    fill(&mut table, &runtime, &doors, &program, real.as_ref());
    // Last: a thousand connections leave memory behind that would hide what the objects take.
    crowd(&mut table, &runtime, &doors);
    table.print();
}

fn one_by_one(table: &mut Table, runtime: &Runtime, doors: &[Option<Door>; 3]) {
    for verb in verbs::ALL {
        let cells = doors.each_ref().map(|door| {
            let door = door.as_ref()?;
            eprintln!("{}, {}", verb.name, door.name());
            Some(time(runtime.block_on(verbs::measure(door, verb))))
        });
        table.row(verb.name, "a tenth", cells);
    }
}

fn crowd(table: &mut Table, runtime: &Runtime, doors: &[Option<Door>; 3]) {
    let cells = doors.each_ref().map(|door| {
        let door = door.as_ref()?;
        eprintln!("watches, {}", door.name());
        Some(runtime.block_on(watches::measure(door)).to_string())
    });
    let what = format!(
        "{} watches of one kind see {} changes in order",
        watches::WATCHES,
        watches::CHANGES
    );
    table.row(&what, "all", cells);
}

fn fill(table: &mut Table, runtime: &Runtime, doors: &[Option<Door>; 3], program: &Program, real: Option<&Real>) {
    let empty = [0, program.resident(), real.map_or(0, Real::resident)];
    let filled = doors.each_ref().map(|door| {
        let door = door.as_ref()?;
        eprintln!("{} objects, {}", many::OBJECTS, door.name());
        Some(runtime.block_on(many::fill(door)))
    });
    let cells = filled
        .each_ref()
        .map(|filled| filled.as_ref().map(|filled| time(filled.took)));
    table.row(
        &format!("{} objects of 1 KB created, 16 at a time", many::OBJECTS),
        "",
        cells,
    );
    let resident = [None, Some(program.resident()), real.map(Real::resident)];
    let cells = [0, 1, 2].map(|it| {
        let (resident, filled) = (resident[it]?, filled[it].as_ref()?);
        Some(kilobytes(
            resident.saturating_sub(empty[it] + filled.json) / many::OBJECTS as u64,
        ))
    });
    table.row("resident an object, above its JSON", "3 KB", cells);

    program.forget_peak();
    let cells = doors.each_ref().map(|door| {
        let door = door.as_ref()?;
        eprintln!("pages, {}", door.name());
        Some(time(runtime.block_on(many::list(door))))
    });
    table.row(
        &format!("{} objects listed in pages of {}", many::OBJECTS, many::PAGE),
        "",
        cells,
    );
    let grown = program.peak().saturating_sub(program.resident());
    table.row("memory for it at its most", "", [None, Some(megabytes(grown)), None]);
}
