//! Pictures in files keep their bits.

use super::*;

/// A picture with bytes of all kinds.
fn picture(depth: Depth, has_alpha: bool) -> Picture {
    let mut picture = Picture {
        size: [5, 3],
        depth,
        has_alpha,
        bytes: Vec::new(),
    };
    let bytes = picture.row() * 3;
    picture.bytes = (0..bytes).map(|at| (at * 37 % 251) as u8).collect();
    picture
}

#[test]
fn every_kind_gives_back_every_bit_of_what_it_holds() {
    let mut held = 0;
    for kind in FileKind::ALL {
        for depth in Depth::ALL {
            for has_alpha in [false, true] {
                let picture = picture(depth, has_alpha);
                if kind.check(depth, has_alpha).is_err() {
                    assert!(picture.to_file(kind).is_err());
                    continue;
                }
                let file = picture.to_file(kind).expect("it is held");
                assert_eq!(Picture::from_file(kind, &file), Ok(picture), "{kind:?}");
                let cut = Picture::from_file(kind, &file[..file.len() / 2]);
                assert!(cut.is_err(), "{kind:?} {depth:?}");
                held += 1;
            }
        }
    }
    assert_eq!(held, 4 + 2 + 1 + 2 + 6);
}

#[test]
fn alpha_goes_in_place() {
    let floats = Picture {
        size: [2, 1],
        depth: Depth::Sixteen,
        has_alpha: true,
        bytes: (0..16).collect(),
    };
    let opaque = [0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13];
    assert_eq!(floats.opaque().bytes(), opaque);
    let bytes = Picture::from_pixels(1, vec![[1, 2, 3, 4], [5, 6, 7, 8]]).opaque();
    assert_eq!(bytes.bytes(), [1, 2, 3, 5, 6, 7]);
    assert_eq!(bytes.size(), [1, 2]);
}

#[test]
fn headers_of_others_are_understood() {
    let read = |kind, file: &[u8]| {
        let picture = Picture::from_file(kind, file);
        picture.map(|picture| picture.bytes)
    };
    let comments = b"P6 # by hand\n1\n# one row\n1 255\nabc";
    assert_eq!(read(FileKind::Ppm, comments), Ok(b"abc".to_vec()));
    let big = b"PF\n1 1\n1.0\n\x3f\x80\0\0\xc0\0\0\0\0\0\0\0";
    let words = [1.0_f32, -2.0, 0.0].map(f32::to_ne_bytes);
    assert_eq!(read(FileKind::Pfm, big), Ok(words.concat()));
    let grey = read(FileKind::Ppm, b"P5\n1 1\n255\na");
    assert_eq!(grey, Err(PictureError::Pixels));
    for file in [
        "",
        "P6",
        "P6\n1 1\n",
        "P6\n1 x\n255\n",
        "P6\n9 9\n255\nabc",
        "# P6",
    ] {
        assert!(read(FileKind::Ppm, file.as_bytes()).is_err(), "{file}");
    }
    let huge = b"P6\n4294967295 4294967295\n65535\n";
    assert!(read(FileKind::Ppm, huge).is_err());
}
