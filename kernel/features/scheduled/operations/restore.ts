/** `scheduled.restore`: restores a cancelled call, as it was approved. Called by the table of operations. */
import { countWord } from '../../../operations/argument.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { SCHEDULED, scheduledWords } from './shape.ts'

export const restoreScheduled = defineOperation({
  name: 'scheduled.restore',
  place: 'home',
  effect: 'write',
  released: true,
  command: 'waitagain',
  args: { number: countWord() },
  result: SCHEDULED,
  ports: ['scheduled', 'drive'],
  async run({ scheduled, drive }, { number }, caller) {
    const restored = await scheduled.restore(caller, number)
    // The timer must learn the time of the restored call.
    if (restored.ok) drive()
    return restored
  },
  undo: ({ result: { number } }) => ({ operation: 'scheduled.cancel', args: { which: String(number) } }),
  text: (one, view) => view.tell('scheduled.restored', { entry: scheduledWords(one, view) }),
})
