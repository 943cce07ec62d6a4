/**
 * The tools that a request most likely needs (I-32), by the large trained table; used where a planner's prompt has no room to
 * describe all. Grants nothing and reads no slot. Must not be bundled for the edge. Handed to the reader of messages by
 * sidecar/home/powers.ts.
 */
import type { Moment } from '../../dates/read.ts'
import { likelyAtHome } from './likely-home.ts'

/** Minimum score, from 0 to 1; below it the table only says that the message is about something else. */
const LEAST = 0.03
/** Maximum number of tools returned, since each takes room in the prompt. */
const MOST = 6

/** Maps labels of the table that are no tool id to the tool that does what they mean. */
const TOOL_OF: Readonly<Record<string, string>> = {
  'reminders.list': 'reminder.list',
  'reminders.tasks': 'task.list',
  'reminder.move': 'reminder.change',
  'reminder.done': 'reminder.cancel',
  'job.change': 'job.move',
  memory_save: 'memory.save',
  memory_search: 'memory.search',
  memory_forget: 'memory.forget',
  'cannot:do something again and again': 'job.set',
  'cannot:forward mail': 'email.forward',
  'cannot:make a contact of that; say "add", a name and its address, and "to my contacts"': 'contact.add',
}

/** Tool ids by descending score; some may belong to no tool. Empty for a text above the length limit. */
export function likelyTools(text: string, moment: Moment): readonly string[] {
  const ids = likelyAtHome(text, moment).flatMap(({ label, score }) => {
    const plain = label.replace(/^else:/, '')
    return score >= LEAST ? [TOOL_OF[plain] ?? plain] : []
  })
  return [...new Set(ids)].filter((id) => id.includes('.')).slice(0, MOST)
}
