//! The pages that specify what the library computes: the folder `docs` of the repository.
//!
//! `machine.md 5.3` in documentation and comments is section 5.3 of [`machine`], `D16` or `T05` a row of
//! [`differences`].

macro_rules! pages {
    ($($(#[$attribute:meta])* $page:ident;)*) => {$(
        $(#[$attribute])*
        // In front of the page's own definitions of the same links, which lead to files.
        #[doc = include_str!("docs/links.md")]
        #[doc = ""]
        #[doc = include_str!(concat!("../docs/", stringify!($page), ".md"))]
        pub mod $page {}
    )*};
}

pages! {
    machine;
    isa;
    numerics;
    textures;
    stages;
    drawing;
    differences;
    #[cfg(feature = "front")]
    arb;
    #[cfg(feature = "front")]
    tgsi;
    #[cfg(feature = "front")]
    agal;
    #[cfg(feature = "front")]
    ctm;
}
