/** `reminders.unshare`: the edge hears no times of private reminders any more, and forgets those that it has. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { id, record } from '../../../operations/shape.ts'

export const unshareTimes = defineOperation({
  name: 'reminders.unshare',
  place: 'home',
  effect: 'write',
  args: {},
  result: record({ grant: id('internal') }),
  ports: ['sharedTimes', 'drive'],
  command: 'noduetimes',
  slash: 'noduetimes',
  async run({ sharedTimes, drive }, _, { principal }) {
    const withdrawn = await sharedTimes.withdraw(principal)
    if (withdrawn.ok) drive()
    return withdrawn
  },
  undo: () => ({ operation: 'reminders.share', args: {} }),
  text: (_, { tell }) => tell('reminders.unshared'),
})
