/**
 * The reads of Fireflies: meetings by words and days, and one transcript; if several meetings have the title, the newest one.
 * Must not write. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, partIn, recordOf, recordsOf } from '../reading.ts'
import { type Api, ask, QUESTIONS } from './api.ts'
import { DEFAULT_MEETINGS, MAX_MEETINGS } from './manifest.ts'
import { idOf, looksLikeId, shapeMeetings, shapeTranscript } from './shape.ts'

type Args = ToolCall['args']

export async function listMeetings(api: Api, { words, from, to, count, skip }: Args): Promise<ToolOutcome> {
  const wanted =
    typeof count === 'number' && count >= 1 ? Math.min(Math.floor(count), MAX_MEETINGS) : DEFAULT_MEETINGS
  // Requests one more than is shown, to learn whether there are more.
  const asked = Math.min(wanted + 1, MAX_MEETINGS)
  const before = typeof skip === 'number' && skip >= 1 ? Math.floor(skip) : 0
  const data = await ask(api, QUESTIONS.list, {
    limit: asked,
    ...(typeof words === 'string' && words.trim() !== '' && { keyword: words.trim() }),
    ...(typeof from === 'string' && { fromDate: instantOf(from) }),
    ...(typeof to === 'string' && { toDate: instantOf(to) }),
    ...(before > 0 && { skip: before }),
  })
  if (!data.ok) return data
  const rows = rowsIn(data.value)
  if (!rows.ok) return rows
  const shown = rows.value.slice(0, wanted)
  const more = rows.value.length > wanted || (wanted === MAX_MEETINGS && rows.value.length === wanted)
  return {
    ok: true,
    output: { meetings: shapeMeetings(shown, wanted), more, ...(more && { next: before + shown.length }) },
  }
}

export async function getTranscript(api: Api, { meeting, part: asked }: Args): Promise<ToolOutcome> {
  const named = typeof meeting === 'string' ? meeting.trim() : ''
  const part = partIn(asked)
  if (looksLikeId(named)) {
    const read = await transcriptOf(api, named, part)
    if (read.ok || read.reason.code !== 'remote_not_found') return read
  }
  const newest = await newestOf(api, named)
  return newest.ok ? transcriptOf(api, newest.value, part) : newest
}

async function transcriptOf(api: Api, id: string, part: number): Promise<ToolOutcome> {
  const data = await ask(api, QUESTIONS.one, { id })
  if (!data.ok) return data
  const shaped = shapeTranscript(recordOf(data.value, 'transcript'), part)
  return shaped === null ? err('remote_not_found') : { ok: true, output: shaped }
}

/** Weekly meetings share a title, so the newest is used. */
async function newestOf(api: Api, words: string): Promise<Result<string>> {
  const data = await ask(api, QUESTIONS.list, {
    limit: MAX_MEETINGS,
    ...(words !== '' && { keyword: words }),
  })
  if (!data.ok) return data
  const rows = rowsIn(data.value)
  if (!rows.ok) return rows
  const [first] = rows.value.toSorted((a, b) => timeOf(b) - timeOf(a)).flatMap((row) => idOf(row) ?? [])
  return first === undefined ? err('remote_not_found') : ok(first)
}

function timeOf(row: JsonRecord): number {
  const at = Number(fieldOf(row, 'date'))
  return Number.isFinite(at) ? at : 0
}

function rowsIn(data: JsonRecord): Result<readonly JsonRecord[]> {
  return Array.isArray(fieldOf(data, 'transcripts'))
    ? ok(recordsOf(data, 'transcripts'))
    : err('tool_result_invalid', { rule: 'json_list' })
}

/** Fireflies takes days as instants too. */
function instantOf(date: string): string {
  return new Date(date).toISOString()
}
