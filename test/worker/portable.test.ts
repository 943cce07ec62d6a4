/** The suites of flow, sealing, tunnel and vault once more, in workerd: the rules must be the same at both places (STYLE 17, R-29). */
const suites = import.meta.glob('../{flow,sealing,tunnel,vault}/*.test.ts')

for (const load of Object.values(suites)) await load()
