/** Fuzz targets of credentials and copies: boxes for home, a token endpoint's answers, permissions, what the edge says it keeps. */
import * as z from 'zod/mini'
import { parseText } from '../../../durable-objects/platform/signature.ts'
import { closeBox, openClosedBox } from '../../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../../integrations/sealing/x25519.ts'
import { exchangeRefreshToken } from '../../../integrations/tools/oauth-token.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import {
  archiveSchema,
  chunkListSchema,
  generationSchema,
  MAX_CHUNKS,
} from '../../../kernel/tunnel/copies.ts'
import { createCopyKeys, openManifest, sealManifest } from '../../../sidecar/copies/copy-format.ts'
import { grantText, type OAuthGrant, parseGrant } from '../../../sidecar/secrets/secret.ts'
import { given } from '../../home/fixtures/backup.ts'
import { systemRandom } from '../../vault/memory-ring.ts'
import { CANARY, type Target } from '../target.ts'

const SECRET = new Uint8Array(32).fill(5)
const ADDRESS = { purpose: 'fuzz', bound: new TextEncoder().encode('bound') }
const WORDS = new TextEncoder().encode(CANARY)
const BOX = given(await closeBox((await keyFrom(SECRET)).publicKey, ADDRESS, WORDS))

const CHUNKS = ['0'.repeat(32), 'a'.repeat(32)]
const GENERATION: Json = { number: 3, at: 1, chunks: CHUNKS, manifest: 'AAAA', recoveryKey: 'A'.repeat(43) }
const keys = createCopyKeys(new Uint8Array(32).fill(3), systemRandom)
const MANIFEST = {
  ...{ format: 1, version: '0.1.0', at: 1, edgeKey: null },
  files: [{ name: 'home.sqlite', kind: 'sqlite', size: 70_000 }],
} as const
const KEPT: Json = {
  ...{ number: 3, chunks: CHUNKS },
  manifest: sealManifest(keys, MANIFEST as never, { number: 3, chunks: CHUNKS }),
}

/** As the token endpoint said it: a status line that the first byte chooses, and the rest of the bytes as the body. */
function exchange(input: unknown): Promise<Result<unknown>> {
  const bytes = input as Uint8Array
  const status = 200 + 100 * ((bytes[0] ?? 0) % 4)
  const body = (async function* () {
    yield bytes.subarray(1)
  })()
  return exchangeRefreshToken({
    ...{
      url: 'https://oauth.example.com/token',
      clientId: 'client-id',
      clientSecret: CANARY,
      refreshToken: `old-${CANARY}`,
    },
    transport: { send: async () => ok({ status, headers: {}, body }) },
    exemptOrigins: [],
  })
}

const GRANT: Json = {
  client_id: `id-${CANARY}`,
  client_secret: CANARY,
  refresh_token: `refresh-${CANARY}`,
  type: 'x',
}

/** The edge's word for what it keeps, from an edge that may have been taken over. */
function keptManifest(input: unknown): Result<unknown> {
  const schema = z.object({
    number: generationSchema.shape.number,
    chunks: chunkListSchema,
    manifest: generationSchema.shape.manifest,
  })
  const parsed = z.safeParse(schema, input)
  return parsed.success ? openManifest(keys, parsed.data) : err('frame_malformed')
}

export const CREDENTIAL_TARGETS: readonly Target[] = [
  {
    ...{ name: 'box for home', form: 'bytes', samples: [BOX] },
    parse: (input) => openClosedBox(SECRET, ADDRESS, input as Uint8Array),
    fault: (value) => ((value as Uint8Array).join() === WORDS.join() ? null : 'a box that nobody closed'),
  },
  {
    ...{ name: 'answer of a token endpoint', form: 'bytes', parse: exchange, bounds: [4_096] },
    samples: [
      `\u0000{"access_token":"ya29.${CANARY}","token_type":"Bearer","expires_in":3599,"refresh_token":"new-${CANARY}"}`,
    ],
    fault: (value) => {
      const { lifetime } = value as { readonly lifetime: number }
      return lifetime > 0 && lifetime <= 86_400_000 ? null : 'a token without end'
    },
  },
  {
    ...{ name: 'lasting permission', form: 'json', samples: [GRANT], bounds: [2_048] },
    parse: (input) => {
      const grant = parseGrant(String(input))
      return grant === null ? err('field_malformed') : ok({ ...grant })
    },
    again: (value) => grantText(value as OAuthGrant),
  },
  {
    ...{ name: 'generation of copies', form: 'json', samples: [GENERATION], bounds: [MAX_CHUNKS, 32_768] },
    parse: (input) => parseText(generationSchema, String(input)),
    again: (value) => JSON.stringify(value),
  },
  {
    ...{ name: 'shelf of copies', form: 'json' },
    samples: [{ generations: [{ number: 3, at: 1, chunks: 2 }], recoveryKey: 'A'.repeat(43) }],
    parse: (input) => parseText(archiveSchema, String(input)),
    again: (value) => JSON.stringify(value),
  },
  {
    ...{ name: 'manifest of copies', form: 'value', samples: [KEPT], parse: keptManifest },
    fault: (value) =>
      JSON.stringify(value) === JSON.stringify(MANIFEST) ? null : 'a manifest that was never sealed',
  },
]
