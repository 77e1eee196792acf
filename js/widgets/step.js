// StepCard: a step's thought, call, check, result and reply.

import { stepCard } from "../cards/step_card.js";
import { widget } from "../kit/view.js";
import { colourBar } from "../tokens/colours.js";
import { everyStep } from "./steps.js";

/** @type {import("../kit/view.js").Draw} */
const draw = (ui, store, { step: only }) => everyStep(ui, store, (step) => stepCard(ui, store, step, { level: 2 }), colourBar(ui), { only, titled: false });

export default widget(draw);
