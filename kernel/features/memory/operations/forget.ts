/** `memory.forget`: forgets one entry; it can be restored for ten minutes (E-20). Called by the table of operations. */
import { ok } from '../../../flow/verdict.ts'
import { FEW_WORDS, word } from '../../../operations/argument.ts'
import { oneLine } from '../../../operations/lines.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { ENTRY, elsewhere } from './shape.ts'

/** Excludes reminders, which are cancelled and are no facts. */
const NO_REMINDER = String.raw`(?!.*(?<![\p{L}])(?:reminders?|erinnerung(?:en)?)(?![\p{L}]))`
/** Excludes words that name no remembered fact: "vergiss das" takes back what was just said; also "forget everything". */
const NO_POINTER = String.raw`(?!(?:es|das|dies|ihn|sie|die|den|everything|all|alles)(?: (?:bitte|wieder|doch|mal|einfach|alles))*[\s.!?]*$)`

export const forgetMemory = defineOperation({
  name: 'memory.forget',
  place: 'both',
  from: 'open',
  effect: 'write',
  released: true,
  args: { which: { ...word(), slot: `${NO_POINTER}${NO_REMINDER}${FEW_WORDS}?` } },
  result: ENTRY,
  ports: ['memory', 'drive'],
  slash: 'forget',
  confirms: 'memory.show',
  async run({ memory, drive }, { which }, caller) {
    const found = await memory.find(caller, which)
    const gone = found.ok ? await memory.forget(caller, found.value.id) : found
    // Lets the scheduler pick up the end of the undo window.
    if (gone.ok) drive()
    return gone.ok && found.ok ? ok(found.value) : gone.ok ? found : gone
  },
  undo: ({ result: { number } }) => ({ operation: 'memory.undo', args: { number } }),
  text: (kept, view) =>
    [
      view.tell('memory.forgotten', { text: oneLine(kept.text), undo: view.say('memory.undo') }),
      ...elsewhere(kept, view),
    ].join('\n'),
})
