//! The examples of operatorkit; each is a program in a folder of its own.
