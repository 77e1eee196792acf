// TurnView: a whole turn, a card a step.

import { turnPane } from "../cards/turn_pane.js";
import { widget } from "../kit/view.js";

export default widget(turnPane);
