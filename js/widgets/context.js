// ContextView: what the model reads in each step, and what of it is new.

import { contextPane } from "../context/context_pane.js";
import { widget } from "../kit/view.js";
import { everyStep } from "./steps.js";

/** @type {import("../kit/view.js").Draw} */
const draw = (ui, store, { step: only }) => everyStep(ui, store, (step) => contextPane(ui, store, step), null, { only, wanted: "context" });

export default widget(draw);
