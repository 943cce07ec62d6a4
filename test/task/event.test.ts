/** Inbound events: shape, bounds, and what a sender cannot claim about the event it sends (B-22, B-23, A-07). */
import { describe, expect, it } from 'vitest'
import { EVENT_BOUNDS, EVENT_KINDS, parseEvent } from '../../kernel/task/event.ts'

const FILE = { kind: 'document', name: 'a.txt', mediaType: 'text/plain', size: 3, ref: 'file-1' }
const EVENT = {
  id: 'update-1',
  at: 1,
  source: { adapter: 'terminal', user: 'local', chat: 'owner', group: false },
  kind: 'message',
  text: 'hello',
  quoted: ['> hi'],
  attachments: [FILE],
  replyTo: null,
  place: 'home',
}
const source = (part: object) => ({ source: { ...EVENT.source, ...part } })

describe('an inbound event', () => {
  it('is itself once validated', () => {
    expect(parseEvent(EVENT)).toEqual({ ok: true, value: EVENT })
  })

  it.each(EVENT_KINDS)('may be a %s', (kind) => {
    expect(parseEvent({ ...EVENT, kind })).toMatchObject({ ok: true, value: { kind } })
  })

  it('loses every key that nobody declared', () => {
    const claims = { label: 'public', taint: 'clean', principal: 'principal:owner', class: 'owner' }
    const loud = {
      ...EVENT,
      ...claims,
      source: { ...EVENT.source, ...claims },
      attachments: [{ ...FILE, ...claims }],
    }
    expect(parseEvent(loud)).toEqual({ ok: true, value: EVENT })
  })

  it.each<[string, object]>([
    ['text', { text: 'x'.repeat(EVENT_BOUNDS.text + 1) }],
    ['quoted', { quoted: Array(EVENT_BOUNDS.quoted + 1).fill('q') }],
    ['quoted.0', { quoted: ['x'.repeat(EVENT_BOUNDS.text + 1)] }],
    ['attachments', { attachments: Array(EVENT_BOUNDS.attachments + 1).fill(FILE) }],
    ['attachments.0.size', { attachments: [{ ...FILE, size: EVENT_BOUNDS.attachment + 1 }] }],
    ['attachments.0.ref', { attachments: [{ ...FILE, ref: 'x'.repeat(EVENT_BOUNDS.ref + 1) }] }],
    ['id', { id: 'x'.repeat(EVENT_BOUNDS.name + 1) }],
    ['source.user', source({ user: 'x'.repeat(EVENT_BOUNDS.name + 1) })],
  ])('too large at %s says so', (field, part) => {
    expect(parseEvent({ ...EVENT, ...part })).toEqual({
      ok: false,
      reason: { code: 'event_too_large', facts: { field } },
    })
  })

  it('may be exactly as large as its bounds', () => {
    expect(parseEvent({ ...EVENT, text: 'x'.repeat(EVENT_BOUNDS.text) }).ok).toBe(true)
    expect(parseEvent({ ...EVENT, quoted: Array(EVENT_BOUNDS.quoted).fill('q') }).ok).toBe(true)
    expect(parseEvent({ ...EVENT, attachments: Array(EVENT_BOUNDS.attachments).fill(FILE) }).ok).toBe(true)
  })

  it.each<[string, object]>([
    ['id', { id: '' }],
    ['id', { id: 'a b' }],
    ['id', { id: 'a\nb' }],
    ['at', { at: -1 }],
    ['at', { at: 1.5 }],
    ['at', { at: '1' }],
    ['kind', { kind: 'admin' }],
    ['place', { place: 'moon' }],
    ['text', { text: 7 }],
    ['replyTo', { replyTo: undefined }],
    ['quoted', { quoted: 'one' }],
    ['attachments.0.size', { attachments: [{ ...FILE, size: -1 }] }],
    ['attachments.0.mediaType', { attachments: [{ ...FILE, mediaType: 'text' }] }],
    ['source.adapter', source({ adapter: 'Terminal' })],
    ['source.adapter', source({ adapter: 'a:b' })],
    ['source.user', source({ user: 'a b' })],
    ['source.chat', source({ chat: '\u202eowner' })],
    ['source.group', source({ group: 'no' })],
  ])('malformed at %s says so', (field, part) => {
    expect(parseEvent({ ...EVENT, ...part })).toEqual({
      ok: false,
      reason: { code: 'event_malformed', facts: { field } },
    })
  })

  it.each([undefined, null, 'text', 1, [], {}])('is not made of %j', (input) => {
    expect(parseEvent(input)).toMatchObject({ reason: { code: 'event_malformed' } })
  })
})
