/**
 * Which tools a request most likely asks for (I-32), by the large trained table, where a planner's prompt has no room to describe them all. It
 * decides no right, and reads no slot. Must not be bundled for the edge. Passed to the reader of messages by home.
 */
import type { Moment } from '../../dates/read.ts'
import { likelyAtHome } from './likely-home.ts'

/** How likely at least, of 1: what is below it says no more than that the message is of something else. */
const LEAST = 0.03
/** As many as are worth a place. */
const MOST = 6

/** Labels of the table that are no ids of tools, and the tool that does what they say. */
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

/** Ids, the likeliest first; some may be of no tool. Empty for a text that is longer than requests are. */
export function likelyTools(text: string, moment: Moment): readonly string[] {
  const ids = likelyAtHome(text, moment).flatMap(({ label, score }) => {
    const plain = label.replace(/^else:/, '')
    return score >= LEAST ? [TOOL_OF[plain] ?? plain] : []
  })
  return [...new Set(ids)].filter((id) => id.includes('.')).slice(0, MOST)
}
