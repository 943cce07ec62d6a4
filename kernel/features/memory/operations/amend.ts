/** `memory.amend`: gives a fact another value, `my locker is 14`, and keeps its subject (E-20). Called by the table of operations. */
import { err, ok } from '../../../flow/verdict.ts'
import { rest, word } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { withValue } from '../../../task/fact-entry.ts'
import { ENTRY, elsewhere } from './shape.ts'

/** As for any argument, and a day by its number: "4. Mai". */
const VALUE = String.raw`(?:[^,;:.!?\n]|(?<=\d)[:.](?=\d)|(?<=\b\d{1,2})\.(?= \p{L})|(?<=\d\.\d{1,2})\.){1,80}?`

export const amendMemory = defineOperation({
  name: 'memory.amend',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: { ...word(), initial: 'that' }, value: { ...rest(), slot: VALUE } },
  result: ENTRY,
  ports: ['memory'],
  slash: 'amend',
  async run({ memory }, { which, value }, caller) {
    const found = await memory.find(caller, which)
    if (!found.ok) return found
    const reworded = memory.reword(found.value.text, value)
    const text = reworded === undefined ? withValue(found.value.text, value) : reworded
    if (text === null) return err('memory_no_value', { number: found.value.number })
    const done = await memory.correct(caller, found.value.id, text)
    return done.ok ? ok({ ...found.value, text }) : done
  },
  text: (kept, view) =>
    [view.tell('memory.amended', { text: oneLine(kept.text) }), ...elsewhere(kept, view)].join('\n'),
})
