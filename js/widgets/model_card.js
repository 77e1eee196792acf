// ModelCard: what a model is, and what each step of a run cost.

import { widget } from "../kit/view.js";
import { cardPane } from "../model/card_pane.js";

export default widget(cardPane);
