//! The controllers, driven to rest over objects in memory, and what the real ones (1.37.2) made of the same objects.

mod cluster;
mod facts;
mod jobs;
mod normal;
mod pods;
mod sets;

use self::cluster::Cluster;
