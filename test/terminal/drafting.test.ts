/** Drafts of an answer and the final answer are printed without a repetition or a gap. */
import { expect, it } from 'vitest'
import { createDrafting } from '../../sidecar/cli/chat/shown.ts'

const run = (drafts: readonly string[], answer: string, task: string | null = 't1'): readonly string[] => {
  const drafting = createDrafting()
  return [...drafts.map((text) => drafting.more({ task: 't1', text })), drafting.rest(task, answer)]
}

it.each([
  ['nothing was shown', [], 'One.', ['One.']],
  ['it grew', ['One.', 'One.\n\nTwo.'], 'One.\n\nTwo.\n\nThree.', ['One.', '\nTwo.', '\nThree.']],
  ['all was shown', ['One.'], 'One.', ['One.', '']],
  ['the same came twice', ['One.', 'One.'], 'One. And two.', ['One.', '', ' And two.']],
  ['another text came of it', ['One.'], 'Other.', ['One.', '— begun again —\nOther.']],
  ['another draft came of it', ['One.', 'Uno.'], 'Uno.', ['One.', '— begun again —\nUno.', '']],
])('the printed parts are right if %s', (_, drafts, answer, printed) =>
  expect(run(drafts, answer)).toEqual(printed),
)

it('drafts of another task are ignored, and control characters are removed', () => {
  expect(run(['One.'], 'Told.', null)).toEqual(['One.', 'Told.'])
  expect(run(['One.'], 'Told.', 't2')).toEqual(['One.', 'Told.'])
  expect(run(['\u001b[31mOne.'], 'One.')[0]).not.toContain('\u001b')
})
