/** Recalled parts are looked through twice, before and after sanitizing: a text without a secret only once, any other each time. */
import { expect, it } from 'vitest'
import { withoutRecalled } from '../../kernel/prompt/outside.ts'
import type { PromptParts } from '../../kernel/prompt/parts.ts'

const KNOWN = 'hunter2-hunter2'

function look(...passes: readonly (readonly string[])[]) {
  const looked: string[] = []
  const redact = (text: string): string => {
    looked.push(text)
    return text.replaceAll(KNOWN, 'hidden')
  }
  const found = new Set<string>()
  const parts = (history: readonly string[]) =>
    ({ self: { sections: [] }, blocks: [], metadata: [], contents: [], history }) as unknown as PromptParts
  const shown = passes.map(
    (history) => withoutRecalled(parts(history), { redact, known: { names: () => [] } }, found).history,
  )
  return { looked, shown }
}

it('looks through each text that has no secret once', () => {
  const { looked, shown } = look(['hello', 'hello'], ['hello', 'new'])
  expect([looked, shown]).toEqual([
    ['hello', 'new'],
    [
      ['hello', 'hello'],
      ['hello', 'new'],
    ],
  ])
})

it('takes out a secret however often it comes', () => {
  const said = `it is ${KNOWN}`
  const { looked, shown } = look([said, said], [said, 'it is hidden'])
  expect(looked).toEqual([said, said, said, 'it is hidden'])
  expect(shown).toEqual([
    ['it is hidden', 'it is hidden'],
    ['it is hidden', 'it is hidden'],
  ])
})
