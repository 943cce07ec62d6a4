/**
 * In which order `pfar --help` shows the commands: the few of every day first, then by what they are about. What stands in no group is of the last.
 * Called by program.ts.
 */
import type { Command } from 'commander'
import { CHANNELS } from '../../integrations/channels/index.ts'
import { type Saying, tell } from '../../kernel/wording/words.ts'

const GROUPS: readonly (readonly [Saying, string])[] = [
  ['terminal.group_day', 'chat ask approvals approve deny reminders tasks jobs undo missed status'],
  ['terminal.group_begin', 'init connect model doctor language channel {chats} search http persona sender'],
  [
    'terminal.group_say',
    'unremind moveremind later done answerremind restoreremind quiet unquiet notnow quiethours scheduled unschedule reschedule waitagain job runjob stopjobs resumejobs zone backhome hours time mode pause resume',
  ],
  ['terminal.group_know', 'memory contacts brain health'],
  [
    'terminal.group_allow',
    'grants people identities templates tools models webservices fixed duetimes noduetimes secret',
  ],
  ['terminal.group_look', 'audit usage context whoami housekeeping'],
  [
    'terminal.group_run',
    'pair deploy devices service lock unlock copies backup restore key recover reload uninstall',
  ],
]

/** Of each group in its own order; what is in none stands last, in the order of its making. */
export function inGroups(program: Command): Command {
  const chats = CHANNELS.map(({ name }) => name).join(' ')
  const order = GROUPS.flatMap(([title, names]) =>
    names
      .replace('{chats}', chats)
      .split(' ')
      .map((name) => ({ name, title })),
  )
  const rank = (command: Command): number => {
    const at = order.findIndex(({ name }) => name === command.name())
    return at === -1 ? order.length : at
  }
  for (const command of program.commands)
    command.helpGroup(`${tell(order[rank(command)]?.title ?? 'terminal.group_rest')}:`)
  return program.configureHelp({
    visibleCommands: ({ commands }) => commands.toSorted((one, other) => rank(one) - rank(other)),
    groupItems: (_all, shown, groupOf) => Map.groupBy(shown, groupOf),
  })
}
