/**
 * `memory.amend`: gives a fact another value, `my locker is 14`, and keeps its subject (E-20). Called by the table of operations.
 */
import { err, ok } from '../../../flow/verdict.ts'
import { rest, word } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { withValue } from '../../../task/fact-entry.ts'
import { CORRECTED, correctedWords } from './shape.ts'

/** Pattern source of the value: as for any argument, and also a day by its number, such as "4. Mai". */
const VALUE = String.raw`(?:[^,;:.!?\n]|(?<=\d)[:.](?=\d)|(?<=\b\d{1,2})\.(?= \p{L})|(?<=\d\.\d{1,2})\.){1,80}?`

export const amendMemory = defineOperation({
  name: 'memory.amend',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: { ...word(), initial: 'that' }, value: { ...rest(), slot: VALUE } },
  result: CORRECTED,
  ports: ['memory', 'drive'],
  slash: 'amend',
  async run({ memory, drive }, { which, value }, caller) {
    const found = await memory.find(caller, which)
    if (!found.ok) return found
    const reworded = memory.reword(found.value.text, value)
    const text = reworded === undefined ? withValue(found.value.text, value) : reworded
    if (text === null) return err('memory_no_value', { number: found.value.number })
    const done = await memory.correct(caller, found.value.id, text)
    if (!done.ok) return done
    // Lets the scheduler pick up the end of the undo window.
    drive()
    return ok({ ...found.value, text, before: found.value.text })
  },
  undo: ({ result: { number } }) => ({ operation: 'memory.undo', args: { number } }),
  text: correctedWords,
})
