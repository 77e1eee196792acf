// TokenView: what the model wrote, token by token.

import { widget } from "../kit/view.js";
import { colourBar } from "../tokens/colours.js";
import { tokenPane } from "../tokens/token_pane.js";
import { everyStep } from "./steps.js";

/** @type {import("../kit/view.js").Draw} */
const draw = (ui, store, { step: only }) => everyStep(ui, store, (step) => tokenPane(ui, store, step), colourBar(ui), { only });

export default widget(draw);
