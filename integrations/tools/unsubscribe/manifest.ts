/**
 * Leaves a mailing list by its one-click address (RFC 8058). The address is a destination that only a mail named, so each call
 * needs an approval, on a card that shows it in full. Must not contain code. Called by home's registry and by run.ts.
 */
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'

export const UNSUBSCRIBE_MANIFEST = Object.freeze<ToolManifest>({
  name: 'unsubscribe',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: ['*'],
  credential: null,
  actions: [
    {
      id: 'unsubscribe.link',
      terms: ['unsubscribe', 'newsletter', 'mailing', 'abbestellen'],
      description: 'Leave a mailing list: url is that of email.leaving.',
      capability: 'mail:write',
      semantics: 'write',
      asks: 'always',
      offline: {
        policy: { do: 'refuse' },
        why: 'a write that happens long after it was wanted surprises',
      },
      args: { kind: 'record', fields: { url: { kind: 'url', destination: true } } },
      output: { kind: 'record', fields: { host: { kind: 'text', max: 253 } } },
      ceiling: 'sensitive',
      compartment: null,
      reaches: 'sensitive',
      sink: 'sink:list:sender',
      done: 'the list was told that you leave it.',
    },
  ],
})
