//! Examples whose results can be checked.

#[allow(dead_code, reason = "the files are programs of their own, too")]
#[path = "../../../examples/smooth_edges.rs"]
mod smooth_edges;

use attila_shader::machine::SampleCount;

use super::common::shaders;

#[test]
fn several_samples_smooth_the_edges_of_a_star_and_keep_its_size() {
    for shader in shaders("mov o1, i6") {
        let reds = [SampleCount::One, SampleCount::Eight].map(|samples| {
            let image = smooth_edges::star(&shader, samples).unwrap();
            let pixels = image.bytes().as_chunks::<4>().0.iter();
            pixels.map(|[red, ..]| u32::from(*red)).collect::<Vec<_>>()
        });
        // The background is 24, the star 229 and more.
        let between = reds.each_ref().map(|reds| {
            let between = reds.iter().filter(|red| (25..229).contains(*red));
            between.count()
        });
        assert_eq!(between[0], 0);
        assert!(between[1] > 100, "{between:?}");
        let [rough, smooth] = reds.map(|reds| reds.iter().sum::<u32>());
        assert!(rough.abs_diff(smooth) < rough / 100, "{rough}, {smooth}");
    }
}
