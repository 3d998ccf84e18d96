//! A Mesa that is unpacked in a folder, beside the system's.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Reasons why a folder is no Mesa.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoMesa {
    #[error("{}", folder.display())]
    NotRead { folder: PathBuf, source: io::Error },
    #[error("{} has no libEGL_mesa.so.0", .0.display())]
    NoEgl(PathBuf),
    #[error("the name of {} cannot be in a list of folders", .0.display())]
    Name(PathBuf),
}

/// The contents of a folder and of those below it.
#[derive(Default, Debug)]
struct Found {
    /// Folders of libraries, that of Mesa's EGL first.
    libraries: Vec<PathBuf>,
    has_egl: bool,
    /// The folder of drivers. Newer Mesas have theirs among the libraries.
    drivers: Option<PathBuf>,
    /// The file that names Mesa to the library that programs load.
    vendor: Option<PathBuf>,
}

/// Folders below each other that are looked at: a package has 6.
const DEPTH: usize = 10;

impl Found {
    fn add(&mut self, folder: &Path, depth: usize) -> io::Result<()> {
        let (mut has_library, mut has_egl) = (false, false);
        for entry in folder.read_dir()? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            // A link to a folder may lead back.
            if path.is_dir() && !path.is_symlink() && depth < DEPTH {
                self.add(&path, depth + 1)?;
            }
            has_library |= name.contains(".so");
            has_egl |= name == "libEGL_mesa.so.0";
            if name.ends_with("_dri.so") {
                self.drivers = Some(folder.to_owned());
            }
            if name.ends_with("_mesa.json") && folder.ends_with("egl_vendor.d") {
                self.vendor = Some(path);
            }
        }
        if has_egl && !self.has_egl {
            self.libraries.insert(0, folder.to_owned());
        } else if has_library {
            self.libraries.push(folder.to_owned());
        }
        self.has_egl |= has_egl;
        Ok(())
    }
}

/// The environment variables with which the Mesa in `folder` is loaded, while `libraries` is what
/// `LD_LIBRARY_PATH` is now.
pub(crate) fn environment(
    folder: &Path,
    libraries: Option<OsString>,
) -> Result<Vec<(&'static str, OsString)>, NoMesa> {
    let not_read = |source| NoMesa::NotRead {
        folder: folder.to_owned(),
        source,
    };
    // Mesa opens drivers by the whole path.
    let folder = folder.canonicalize().map_err(not_read)?;
    let mut found = Found::default();
    found.add(&folder, 0).map_err(not_read)?;
    if !found.has_egl {
        return Err(NoMesa::NoEgl(folder));
    }
    let mut all = found.libraries;
    for before in std::env::split_paths(&libraries.unwrap_or_default()) {
        if !before.as_os_str().is_empty() && !all.contains(&before) {
            all.push(before);
        }
    }
    let all = std::env::join_paths(all).map_err(|_| NoMesa::Name(folder))?;
    let mut variables = vec![("LD_LIBRARY_PATH", all)];
    variables.extend(found.drivers.map(|it| ("LIBGL_DRIVERS_PATH", it.into())));
    let vendor = found.vendor.map(PathBuf::into_os_string);
    variables.extend(vendor.map(|it| ("__EGL_VENDOR_LIBRARY_FILENAMES", it)));
    Ok(variables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_found_and_its_variables_do_not_change_once_they_are_set() {
        let folder = std::env::temp_dir().join(format!("peers-mesa-{}", std::process::id()));
        let files = [
            "usr/lib/x/libEGL_mesa.so.0",
            "usr/lib/x/libLLVM-19.so.1",
            "usr/lib/x/dri/swrast_dri.so",
            "usr/share/glvnd/egl_vendor.d/50_mesa.json",
        ];
        for file in files {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is new");
            std::fs::write(path, "").expect("there is room");
        }
        let first = environment(&folder, Some("/other".into())).expect("it is a Mesa");
        let again = environment(&folder, Some(first[0].1.clone())).expect("it is a Mesa");
        std::fs::remove_dir_all(folder.join("usr/lib")).expect("it is there");
        let none = environment(&folder, None);
        std::fs::remove_dir_all(&folder).expect("it is there");
        assert_eq!(first, again);
        let values: Vec<_> = first
            .iter()
            .map(|(_, value)| value.to_string_lossy())
            .collect();
        assert!(values[0].contains("usr/lib/x:") && values[0].ends_with(":/other"));
        assert!(values[1].ends_with("usr/lib/x/dri"), "{values:?}");
        assert!(values[2].ends_with("50_mesa.json"), "{values:?}");
        assert!(matches!(none, Err(NoMesa::NoEgl(_))));
    }
}
