/** docs/directive-files.md says what the ownership map says (O-59). */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  ALWAYS_BUDGET,
  FILE_MAX,
  MOST_USER_FILES,
  OWNERSHIP,
  STANDARD_FILES,
  type StandardFile,
  USER_FILE,
} from '../../kernel/directives/ownership.ts'

const page = readFileSync(new URL('../../docs/directive-files.md', import.meta.url), 'utf8')
const prose = page.replaceAll(/\s+/g, ' ')

function rowOf(name: StandardFile): string {
  const { owns, mode, attach, budget, writers } = OWNERSHIP[name]
  const attached = [
    ...(attach.tools.length > 0 ? [`tools ${codes(attach.tools)}`] : []),
    ...(attach.intents.length > 0 ? [`intents ${codes(attach.intents)}`] : []),
    ...(attach.writes ? ['every write'] : []),
  ]
  const when = attached.length > 0 ? `\`${mode}\`: ${attached.join(', ')}` : `\`${mode}\``
  return `| \`${name}\` | ${owns} | ${when} | ${budget} | ${writers.self_improvement}, ${writers.template_sync} |`
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' ')
}

const BY_RANK = STANDARD_FILES.toSorted((one, other) => OWNERSHIP[one].rank - OWNERSHIP[other].rank)

test('the table of files is that of the ownership map, in order of rank', () => {
  const rows = page.split('\n').filter((line) => /^\| `[A-Z]+` \|/.test(line))
  expect(rows).toEqual(BY_RANK.map(rowOf))
})

test.each([
  ['the budget of a file of the owner', `have room for ${USER_FILE.budget} characters`],
  ['the longest file', `may be ${FILE_MAX} characters long`],
  ['the most files of the owner', `there may be ${MOST_USER_FILES} of your own`],
  ['the budget of what is always there', `at most ${ALWAYS_BUDGET} characters of a prompt`],
  ['the first mode of a file of the owner', `Your own files begin with \`${USER_FILE.mode}\``],
])('the page states %s as the code has it', (_what, words) => {
  expect(prose).toContain(words)
})
