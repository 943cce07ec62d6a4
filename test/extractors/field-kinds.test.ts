/**
 * What each of the six extractors declares of its fields (J-03): the ones that may hold a sentence, which keep the taint of what they were taken from, and all others,
 * which are values of closed kinds. A field that becomes another kind is noticed here.
 */
import { expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { isStructured, leavesOf, type RecordSpec } from '../../kernel/flow/field.ts'
import { MESSAGE_FIELDS } from '../../kernel/powers/message-fields.ts'

function outputOf(action: string): RecordSpec {
  const found = TOOL_MANIFESTS.flatMap(({ actions }) => actions).find(({ id }) => id === action)
  if (found?.output.kind !== 'record') throw new Error(`${action} has no record`)
  return found.output
}

it.each<[extractor: string, spec: () => RecordSpec, texts: readonly string[], values: readonly string[]]>([
  [
    'mail',
    () => outputOf('email.read'),
    [
      ...['fromName', 'subject', 'body', 'files[]'],
      ...['appointments[].title', 'appointments[].place', 'appointments[].note'],
    ],
    ['from', 'date', 'hasAttachments', 'dates[]', 'requests[]', 'links[]'],
  ],
  ['page', () => outputOf('web.read'), ['title', 'author', 'text'], ['date', 'links[]', 'language']],
  [
    'transcript',
    () => outputOf('fireflies.get_transcript'),
    ['title', 'speakers[]', 'overview', 'actions', 'body'],
    ['date', 'minutes', 'participants[]', 'topics[]', 'agreed[]'],
  ],
  ['health', () => outputOf('health.measure'), [], ['measure', 'unit', 'value', 'low', 'high', 'latest']],
  [
    'document',
    () => outputOf('files.read'),
    ['path', 'title', 'events[].title', 'events[].place', 'events[].note', 'text'],
    ['pages', 'format', 'events[].from', 'events[].organizer', 'events[].attendees[]'],
  ],
  [
    'message',
    () => MESSAGE_FIELDS,
    ['cron', 'into', 'people[]', 'person', 'topic'],
    ['intent', 'services[]', 'from', 'to', 'email', 'emails[]', 'url', 'urls[]', 'language'],
  ],
])('%s', (_, spec, texts, values) => {
  const leaves = leavesOf(spec())
  const of = (structured: boolean) =>
    leaves.flatMap(([path, { kind }]) => (isStructured(kind) === structured ? [path] : []))
  expect(of(false).toSorted()).toEqual([...texts].toSorted())
  expect(of(true)).toEqual(expect.arrayContaining([...values]))
})
