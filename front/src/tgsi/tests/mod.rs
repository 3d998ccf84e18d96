//! Tests of whole texts.

mod corpus;
