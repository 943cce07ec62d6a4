/** Fuzz targets of the line at Slack: what comes over its socket, who wrote it, what a tap says. */

import { eventOf, tapIn } from '../../../integrations/channels/slack/event.ts'
import { readFrame } from '../../../integrations/channels/slack/home-socket.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { parseEvent } from '../../../kernel/task/event.ts'
import { CANARY, type Target } from '../target.ts'

const LINE = { app: 'A1', team: 'T1', owner: 'U1', chat: 'D1', name: 'private' }

const payload = (event: { readonly [key: string]: Json }): Json => ({
  ...{ type: 'event_callback', api_app_id: 'A1', team_id: 'T1' },
  event: {
    ...{ type: 'message', user: 'U1', channel: 'D1', channel_type: 'im', ts: '1700000000.000100' },
    ...event,
  },
})

/** What the adapter makes of anything is an event that the kernel takes, or nothing. */
function event(input: unknown): Result<unknown> {
  const received = eventOf(input, LINE, 1)
  if (!received.ok) return err('event_malformed')
  const parsed = parseEvent(received.event)
  if (!parsed.ok && parsed.reason.code === 'event_malformed')
    throw new Error(`made an event that is none: ${JSON.stringify(parsed.reason)}`)
  return parsed
}

export const SLACK_TARGETS: readonly Target[] = [
  {
    name: 'a frame of Slack',
    form: 'json',
    samples: [
      { type: 'hello' },
      { type: 'disconnect', reason: 'warning' },
      { type: 'events_api', envelope_id: 'e1', payload: { x: CANARY } },
    ],
    parse(input) {
      const frame = readFrame(String(input))
      return frame === null ? err('frame_malformed') : ok(frame)
    },
    bounds: [200],
    open: true,
  },
  {
    name: 'a message of Slack',
    form: 'value',
    samples: [
      payload({ text: CANARY }),
      payload({ text: `&gt; ${CANARY}\n<https://x.example/|${CANARY}>`, thread_ts: '1.2' }),
      payload({
        text: '',
        subtype: 'file_share',
        files: [{ id: 'F1', name: CANARY, size: 3, mimetype: 'text/plain' }],
      }),
      payload({ text: '', attachments: [{ text: CANARY, fallback: CANARY }] }),
    ],
    parse: event,
    fault(value) {
      const { source } = value as { readonly source: { readonly user: string; readonly chat: string } }
      return source.chat === LINE.name && source.user !== 'T1:U1' ? 'somebody else in the owner’s chat' : null
    },
    open: true,
  },
  {
    name: 'a tap of Slack',
    form: 'value',
    samples: [
      {
        ...{ type: 'block_actions', api_app_id: 'A1', team: { id: 'T1' }, user: { id: 'U1', team_id: 'T1' } },
        container: { type: 'message', message_ts: '1700000000.000100', channel_id: 'D1' },
        actions: [{ type: 'button', action_id: CANARY }],
      },
    ],
    parse(input) {
      const tap = tapIn(input)
      return tap === null ? err('event_malformed') : ok(tap)
    },
    bounds: [64, 255],
    open: true,
  },
]
