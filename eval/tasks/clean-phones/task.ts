import { csvFile, csvText, exactly } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import contacts from "./contacts.txt?raw";

const rows = [
  ["name", "phone"],
  ["Ada Berg", "+4930901820"],
  ["Bo Lind", "+46850829000"],
  ["Cem Kaya", "+4930901821"],
  ["Dora Novak", "+420221714444"],
  ["Eli Roth", "+4930901822"],
  ["Finn Olsen", "+4723460000"],
  ["Hana Sato", "+81352531111"],
  ["Jo Adler", "+4930901823"],
];
const dropped = ["Gia Conti", "Ivo Marek"];

export const cleanPhones: EvalTask = {
  name: "clean-phones",
  level: 2,
  prompt:
    "Each line of /workspace/contacts.txt is a name, two or more blanks, and a phone number. Write the numbers as + and " +
    "digits only. 00 at the beginning stands for +; a number that begins with a single 0, with or without a bracket, is " +
    "German (+49, without that 0); a (0) after the country code is left out, as is an extension. What has fewer than " +
    "eight digits in the end is no number, and its line is dropped. Whose lines are dropped?",
  files: { "contacts.txt": contacts },
  answer: { format: "json", description: "a list of names in the order of the file", is: exactly(dropped) },
  artifacts: {
    "phones.csv": { mime: "text/csv", description: "columns name,phone in the order of the file", is: csvFile(rows) },
  },
  correct: { answer: dropped, artifacts: { "phones.csv": csvText(rows) } },
  wrong: [
    wrongAnswer("a number of five digits taken for one", ["Gia Conti"]),
    wrongArtifact("(0) kept", "phones.csv", csvText(rows).replace("+4723460000", "+47023460000")),
    wrongArtifact("the extension appended", "phones.csv", csvText(rows).replace("+4930901823", "+493090182312")),
  ],
};
