/** The suites of flow and tunnel once more, inside workerd: the law must be the same law at both places (STYLE 17, R-29). */
const suites = import.meta.glob('../{flow,tunnel}/*.test.ts')

for (const load of Object.values(suites)) await load()
