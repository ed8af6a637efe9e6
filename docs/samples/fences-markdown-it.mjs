import markdownIt from "markdown-it";
import { vitrineCells } from "vitrine/markdown-it";

const page = `
~~~python vitrine session=tour expected
print(6 * 7)
~~~

~~~text vitrine-output
42
~~~
`;
console.log(markdownIt().use(vitrineCells).render(page));
