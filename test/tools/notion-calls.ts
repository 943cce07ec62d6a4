/** The tool Notion over a scripted server of its own, for one test. Called by notion.test.ts and notion-refusals.test.ts. */
import { onTestFinished } from 'vitest'
import { createNotionTool } from '../../integrations/tools/notion/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import {
  databaseRows,
  idOf,
  type NotionState,
  notionState,
  pageRow,
  put,
  type Row,
  richText,
  serveNotion,
  TOKEN,
} from '../fakes/notion-server.ts'
import { callTool } from './calls.ts'

export const CREDENTIAL = { scheme: 'bearer', value: TOKEN } as const

export async function notion(fill: (state: NotionState) => void = () => undefined) {
  const state = notionState()
  fill(state)
  const { origin, close } = await serveNotion(state)
  onTestFinished(close)
  const tool = createNotionTool({ baseUrl: origin })
  const call = (action: string, args: { readonly [key: string]: Json }) =>
    callTool(tool, `notion.${action}`, args, { exemptOrigins: [origin], credential: CREDENTIAL })
  return { state, call, tool, origin }
}

const STATUS = {
  options: [
    { id: 'a', name: 'Not started', color: 'default' },
    { id: 'b', name: 'Doing', color: 'blue' },
    { id: 'c', name: 'Done', color: 'green' },
  ],
  groups: [
    { id: 'g1', name: 'To-do', option_ids: ['a'] },
    { id: 'g2', name: 'In progress', option_ids: ['b'] },
    { id: 'g3', name: 'Complete', option_ids: ['c'] },
  ],
}

/** Columns of a database of tasks, of each kind that is typed. */
export const TASK_COLUMNS: Row = {
  Task: { id: 'title', name: 'Task', type: 'title', title: {} },
  Status: { id: 'st', name: 'Status', type: 'status', status: STATUS },
  Due: { id: 'du', name: 'Due', type: 'date', date: {} },
  Effort: { id: 'ef', name: 'Effort', type: 'number', number: { format: 'number' } },
  Area: { id: 'ar', name: 'Area', type: 'select', select: { options: [{ id: 'h', name: 'House' }] } },
  Paid: { id: 'pa', name: 'Paid', type: 'checkbox', checkbox: {} },
  Notes: { id: 'no', name: 'Notes', type: 'rich_text', rich_text: {} },
}

export function taskRow(number: number, title: string, status: string, more: Row = {}, source = 21): Row {
  return pageRow(number, title, {
    parent: { type: 'data_source_id', data_source_id: idOf(source), database_id: idOf(source - 1) },
    properties: {
      Task: { id: 'title', type: 'title', title: richText(title) },
      Status: { id: 'st', type: 'status', status: status === '' ? null : { id: 'x', name: status } },
      Due: { id: 'du', type: 'date', date: null },
      Effort: { id: 'ef', type: 'number', number: null },
      Area: { id: 'ar', type: 'select', select: null },
      Paid: { id: 'pa', type: 'checkbox', checkbox: false },
      Notes: { id: 'no', type: 'rich_text', rich_text: [] },
      ...more,
    },
  })
}

/** The database Tasks, 20 and 21, with three rows. */
export function withTasks(state: NotionState, more: Row = {}): void {
  put(state, ...databaseRows(20, 'Tasks', TASK_COLUMNS, more))
  put(
    state,
    taskRow(31, 'Fix the roof', 'Doing', {
      Due: { type: 'date', date: { start: '2026-12-01', end: null, time_zone: null } },
      Effort: { type: 'number', number: 5 },
      Area: { type: 'select', select: { id: 'h', name: 'House' } },
    }),
    taskRow(32, 'Buy paint', 'Done'),
    taskRow(33, 'Call Tom', ''),
  )
}
