import { z } from "zod";

import { exactly, jsonFile, type Json } from "../../checks.js";
import { wrongAnswer, wrongArtifact, type EvalTask } from "../../task.js";
import old from "./users-v1.json?raw";

const User = z.object({
  id: z.number(),
  fullname: z.string(),
  mail: z.string(),
  admin: z.boolean(),
  joined: z.string(),
  phone: z.string().default(""),
});
const { users } = z.object({ users: z.array(User) }).parse(JSON.parse(old));

/** Null for a day that does not exist. */
function isoDay(text: string): string | null {
  const iso = text.split(".").reverse().join("-");
  const time = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso) ? iso : null;
}

const migrated = users.flatMap(({ id, fullname, mail, admin, joined, phone }) => {
  const day = isoDay(joined);
  const [given = "", ...rest] = fullname.split(" ");
  const contacts = [
    ...(mail === "" ? [] : [{ kind: "mail", value: mail }]),
    ...(phone === "" ? [] : [{ kind: "phone", value: phone }]),
  ];
  if (day === null) return [];
  return [
    {
      id: `u-${String(id).padStart(4, "0")}`,
      name: { given, family: rest.join(" ") || null },
      roles: admin ? ["member", "admin"] : ["member"],
      joined: day,
      contacts,
    },
  ];
});
const wanted: Json = { version: 3, users: migrated };
const failed = users.filter(({ joined }) => isoDay(joined) === null).map(({ id }) => id);

export const schemaMigration: EvalTask = {
  name: "schema-migration",
  level: 3,
  prompt: `Migrate /workspace/users-v1.json from version 1 to version 3:
- id becomes text: "u-" and four digits.
- fullname becomes name {given, family}: given is the first word, family all the rest, null where there is none.
- admin becomes roles: ["member"], for admins ["member", "admin"].
- joined becomes YYYY-MM-DD.
- mail and phone become contacts, a list of {kind: "mail" or "phone", value}, mail first; empty ones are left out.
A user whose day does not exist in the calendar is not migrated. Which ones are these?`,
  files: { "users-v1.json": old },
  answer: { format: "json", description: "a list of their old ids", is: exactly(failed) },
  artifacts: {
    "users-v3.json": {
      mime: "application/json",
      description: '{"version": 3, "users": [...]} in the old order',
      is: jsonFile(exactly(wanted)),
    },
  },
  correct: { answer: failed, artifacts: { "users-v3.json": JSON.stringify(wanted) } },
  wrong: [
    wrongAnswer("the leap day taken for wrong as well", [5, 8]),
    wrongArtifact(
      "the last word as family name",
      "users-v3.json",
      JSON.stringify(wanted).replace("van der Lind", "Lind"),
    ),
    wrongArtifact(
      "an empty phone kept",
      "users-v3.json",
      JSON.stringify(wanted).replace('"eli@example.com"}', '"eli@example.com"},{"kind":"phone","value":""}'),
    ),
  ],
};
