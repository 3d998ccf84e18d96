//! The effects of outputs on draws.

use attila_isa::{Component, Slots};

use super::language::{Details, Port};
use super::program::Semantic;
use super::words::{Location, SemanticName};

/// The outputs that draws do not act on, with the reason as the end of a sentence.
const WITHOUT_EFFECT: [(SemanticName, &str); 6] = [
    (SemanticName::Layer, "targets of draws have one layer"),
    (SemanticName::ViewportIndex, "draws have one viewport"),
    (SemanticName::Stencil, "draws have no stencil test"),
    (SemanticName::EdgeFlag, "draws fill triangles"),
    (SemanticName::PointSize, "draws have no points"),
    (
        SemanticName::ClipVertex,
        "draws have no clip planes; CLIPDIST is a distance from one",
    ),
];

impl SemanticName {
    /// The reason why an output has no effect on draws, as the end of a sentence, if it has none.
    pub fn without_effect(self) -> Option<&'static str> {
        let mut rows = WITHOUT_EFFECT.iter();
        rows.find(|(name, _)| *name == self)
            .map(|(_, reason)| *reason)
    }
}

/// Components of an output register of the translation.
type Components = (usize, Slots);

impl Details {
    /// The outputs that draws do not act on, with the reasons. PSIZE has an effect where points are drawn.
    pub fn without_effect(&self) -> impl Iterator<Item = (Semantic, &'static str)> {
        let semantics = self.outputs.iter().filter_map(|port| port.varying.semantic);
        semantics.filter_map(|it| Some((it, it.name.without_effect()?)))
    }

    /// The outputs that are distances by which triangles are cut: as many of CLIPDIST as NUM_CLIPDIST_ENABLED says,
    /// or all that are declared.
    pub fn clip_distances(&self) -> Vec<Components> {
        let properties = &self.properties;
        let all = match properties.cull_distances {
            // They follow in CLIPDIST.
            Some(_) if !self.has(SemanticName::CullDistance) => 0,
            Some(_) | None => u32::MAX,
        };
        let count = properties.clip_distances.unwrap_or(all);
        self.distances(SemanticName::ClipDistance, 0, count)
    }

    /// The outputs that are distances by which triangles are left out: as many of CULLDIST as NUM_CULLDIST_ENABLED
    /// says, or all that are declared. Without CULLDIST they are in CLIPDIST, after those of
    /// [`Details::clip_distances`].
    pub fn cull_distances(&self) -> Vec<Components> {
        let properties = &self.properties;
        match (
            self.has(SemanticName::CullDistance),
            properties.cull_distances,
        ) {
            (true, count) => {
                self.distances(SemanticName::CullDistance, 0, count.unwrap_or(u32::MAX))
            }
            (false, Some(count)) => {
                let first = properties.clip_distances.unwrap_or(0);
                self.distances(SemanticName::ClipDistance, first, count)
            }
            (false, None) => Vec::new(),
        }
    }

    /// Whether there are colours of the back: the draw is two-sided.
    pub fn is_two_sided(&self) -> bool {
        self.has(SemanticName::BackColor)
    }

    /// Whether a fragment program runs for each sample of a pixel: it has an input at the sample, or asks for the
    /// sample's number or position.
    pub fn runs_for_samples(&self) -> bool {
        let names = [SemanticName::SampleId, SemanticName::SamplePosition];
        let inputs = self.inputs.iter().map(|port| &port.varying);
        let at_sample = inputs.clone().any(|it| it.location == Location::Sample);
        let semantics = inputs.filter_map(|it| it.semantic);
        let system = self.system_values.iter().map(|port| port.value.semantic);
        at_sample || semantics.chain(system).any(|it| names.contains(&it.name))
    }

    fn has(&self, name: SemanticName) -> bool {
        let mut semantics = self.outputs.iter().filter_map(|port| port.varying.semantic);
        semantics.any(|semantic| semantic.name == name)
    }

    /// The components `first` and `count - 1` after it of the outputs of a name, four in each.
    fn distances(&self, name: SemanticName, first: u32, count: u32) -> Vec<Components> {
        let of_port = |port: &Port| {
            let semantic = port.varying.semantic.filter(|it| it.name == name)?;
            let number = |component: &Component| 4 * semantic.index + component.index() as u32;
            let range = first..first.saturating_add(count);
            let slots = port.varying.mask.components();
            let slots = slots.filter(|component| range.contains(&number(component)));
            let slots: Slots = slots.map(Slots::only).collect();
            let register = usize::from(port.register?);
            (!slots.is_empty()).then_some((register, slots))
        };
        self.outputs.iter().filter_map(of_port).collect()
    }
}
