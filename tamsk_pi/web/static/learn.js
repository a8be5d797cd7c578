// The first lesson: what is to be done now, whether it is done, and the way to the next task. The referee judges.

import { byId, setText } from "./dom.js";
import { say } from "./text.js";

let helped = null; // whether the hands helped before the lesson: in it they do what is illegal too
let announced = null; // the task that was begun here and whose title is still to get the focus, so that it is read out

export function setUpLearning(game, hands) {
  const begin = async (task) => {
    if (task && helped === null) {
      helped = hands.helps;
      hands.setHelps(false);
    }
    const done = await hands.act({ do: "lesson", task });
    if (!task && helped !== null) {
      hands.setHelps(helped);
      helped = null;
    }
    announced = done && task ? task : announced;
    showLearning(game, hands);
  };
  byId("lesson-title").tabIndex = -1;
  byId("learn-button").addEventListener("click", () => begin(1));
  byId("lesson-again").addEventListener("click", () => begin(game.state.lesson?.task ?? 1));
  byId("lesson-next").addEventListener("click", () => begin(Math.min((game.state.lesson?.task ?? 0) + 1, game.state.lesson?.of ?? 1)));
  byId("lesson-end").addEventListener("click", () => begin(0));
}

export function showLearning(game, hands) {
  const lesson = game.state.lesson;
  byId("learn-button").hidden = !hands.able || Boolean(lesson);
  byId("lesson").hidden = !lesson;
  if (!lesson) return;
  const { task, of, done } = lesson;
  setText(byId("lesson-title"), say("learn.title", { task, of, title: say(`learn.${task}.title`) }));
  setText(byId("lesson-text"), say(`learn.${task}.text`));
  setText(byId("lesson-state"), done ? `${say("learn.done")} ${say(`learn.${task}.done`)}` : "");
  byId("lesson").dataset.done = String(done);
  byId("lesson-next").hidden = task === of;
  if (announced === task && !done) {
    announced = null;
    byId("lesson-title").focus();
  }
}
