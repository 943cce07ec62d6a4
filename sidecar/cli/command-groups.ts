/**
 * Order and headings of the commands in `pfar --help`: the everyday commands first, then by topic. An
 * operation without a group follows those that can also be typed in a chat; any other command comes last.
 * Called by program.ts.
 */
import type { Command } from 'commander'
import { CHANNELS } from '../../integrations/channels/index.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { type Saying, tell } from '../language/wording.ts'

const SAID: Saying = 'terminal.group_say'
const GROUPS: readonly (readonly [Saying, string])[] = [
  ['terminal.group_day', 'chat ask approvals approve deny reminders tasks jobs undo missed status'],
  ['terminal.group_begin', 'init connect model doctor language channel {chats} search http persona sender'],
  [SAID, 'later done quiet job mode pause resume'],
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

/**
 * Sorts the commands by group and by their order there. Commands without a group stay in the order of their
 * registration.
 */
export function inGroups(program: Command): Command {
  const chats = CHANNELS.map(({ name }) => name).join(' ')
  const order = GROUPS.flatMap(([title, names]) =>
    names
      .replace('{chats}', chats)
      .split(' ')
      .map((name) => ({ name, title })),
  )
  const operations = new Set(
    OPERATIONS.flatMap(({ command, aliases }) => [command, ...aliases].map(([first]) => first)),
  )
  const isSaid = (command: Command): boolean => operations.has(command.name())
  const lastSaid = order.findLastIndex(({ title }) => title === SAID)
  const rank = (command: Command): number => {
    const at = order.findIndex(({ name }) => name === command.name())
    // Behind the listed operations, in the order of registration.
    return at >= 0 ? at : isSaid(command) ? lastSaid + 0.5 : order.length
  }
  const titleOf = (command: Command): Saying =>
    order.find(({ name }) => name === command.name())?.title ??
    (isSaid(command) ? SAID : 'terminal.group_rest')
  for (const command of program.commands) command.helpGroup(`${tell(titleOf(command))}:`)
  return program.configureHelp({
    visibleCommands: ({ commands }) => commands.toSorted((one, other) => rank(one) - rank(other)),
    groupItems: (_all, shown, groupOf) => Map.groupBy(shown, groupOf),
  })
}
