/**
 * `npm run pin-images` against a registry over real HTTP: its requests, the responses it accepts, and the content of
 * both files afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { parseReference } from '../../scripts/image-registry.ts'
import { pinImages } from '../../scripts/pin-images.ts'
import {
  digestOf,
  type FakeRegistry,
  indexOf,
  type RegistryScript,
  startRegistry,
  TOKEN,
} from '../fakes/registry-server.ts'
import { newFolder } from '../kit/folder.ts'
import { closing } from '../kit/stop.ts'

const NODE = indexOf(1)
const OLLAMA = indexOf(2)
const OLD = `sha256:${'0'.repeat(64)}`

let registry: FakeRegistry
let root = ''
beforeEach(async () => {
  registry = closing(await startRegistry())
  registry.tags.set('library/node:22-slim', NODE)
  registry.tags.set('ollama/ollama:0.12.6', OLLAMA)
  root = newFolder('pin')
  lay('')
})

/** Both files, with the given suffix after each image's tag. */
function texts(node: string, ollama = node): Readonly<Record<string, string>> {
  const image = `${registry.host}/library/node:22-slim${node}`
  return {
    Containerfile: [
      `# FROM docker.io/library/other:1`,
      `FROM ${image} AS packages`,
      'COPY package.json ./',
      '',
      `FROM --platform=linux/amd64 ${image}`,
      'COPY --from=packages /pfar/node_modules ./node_modules',
      'COPY --from=0 /a ./a',
      `COPY --from=${registry.host}/ollama/ollama:0.12.6${ollama} /bin/ollama /bin/`,
      'FROM packages',
      'FROM scratch',
      '',
    ].join('\n'),
    'compose.yaml': [
      '# image: docker.io/library/other:1',
      'services:',
      '  home:',
      '    image: localhost/pfar-home',
      '  ollama:',
      `    image: ${registry.host}/ollama/ollama:0.12.6${ollama} # a model`,
      '  quoted:',
      `    image: "${registry.host}/library/node:22-slim${node}"`,
      '',
    ].join('\n'),
  }
}

function lay(node: string, ollama = node): void {
  for (const [file, text] of Object.entries(texts(node, ollama))) writeFileSync(join(root, file), text)
}

const found = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ['Containerfile', 'compose.yaml'].map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )

const pin = (check = false) => pinImages({ root, check })
const pinned = () => texts(`@${digestOf(NODE)}`, `@${digestOf(OLLAMA)}`)

/** As Docker's registry does: tokens come from a separate URL. */
const bearer = (url: string): string =>
  `Bearer realm="${url}/token",service="registry.test",scope="repository:everything:pull,push"`

describe('pinning', () => {
  test('writes the digest of each tag into both files and leaves the rest unchanged', async () => {
    expect(await pin()).toEqual({
      code: 0,
      says: [
        `${registry.host}/library/node:22-slim@${digestOf(NODE)}`,
        `${registry.host}/ollama/ollama:0.12.6@${digestOf(OLLAMA)}`,
      ],
    })
    expect(found()).toEqual(pinned())
  })

  test('changes nothing in a second run, and a check passes', async () => {
    await pin()
    expect(await pin()).toEqual({ code: 0, says: [] })
    expect(await pin(true)).toEqual({ code: 0, says: [] })
    expect(found()).toEqual(pinned())
  })

  test('replaces a digest that the tag no longer has', async () => {
    lay(`@${OLD}`, `@${digestOf(OLLAMA)}`)
    expect((await pin()).says).toEqual([`${registry.host}/library/node:22-slim@${digestOf(NODE)}`])
    expect(found()).toEqual(pinned())
  })

  test('asks for an image once by its tag and then by its digest', async () => {
    await pin()
    expect(registry.asked).toEqual([
      'HEAD /v2/library/node/manifests/22-slim',
      `GET /v2/library/node/manifests/${digestOf(NODE)}`,
      'HEAD /v2/ollama/ollama/manifests/0.12.6',
      `GET /v2/ollama/ollama/manifests/${digestOf(OLLAMA)}`,
    ])
  })

  test('leaves an image that is named only by its digest', async () => {
    const text = `FROM ${registry.host}/library/node@${digestOf(NODE)}\n`
    writeFileSync(join(root, 'Containerfile'), text)
    expect((await pin()).code).toBe(0)
    expect(found()['Containerfile']).toBe(text)
  })
})

describe('a check', () => {
  test('fails for an image without a digest, without a request', async () => {
    lay(`@${digestOf(NODE)}`, '')
    expect(await pin(true)).toEqual({
      code: 1,
      says: [`${registry.host}/ollama/ollama:0.12.6: not pinned by a digest`],
    })
    expect(registry.asked).toEqual([])
  })

  test('fails for a digest that the tag no longer has, and writes nothing', async () => {
    lay(`@${OLD}`, `@${digestOf(OLLAMA)}`)
    const name = `${registry.host}/library/node:22-slim`
    expect(await pin(true)).toEqual({ code: 1, says: [`${name}@${OLD}: now ${name}@${digestOf(NODE)}`] })
    expect(found()).toEqual(texts(`@${OLD}`, `@${digestOf(OLLAMA)}`))
  })
})

describe('a registry that requires tokens', () => {
  test.each([
    ['under its first name', { token: TOKEN }],
    ['under the name that OAuth has', { access_token: TOKEN }],
  ])(
    'is asked for read access to this repository only, and its token is accepted %s',
    async (_name, token) => {
      registry.script = { challenge: bearer, token }
      expect((await pin()).code).toBe(0)
      expect(found()).toEqual(pinned())
      expect(registry.asked.slice(0, 4)).toEqual([
        'HEAD /v2/library/node/manifests/22-slim',
        'GET /token?service=registry.test&scope=repository%3Alibrary%2Fnode%3Apull',
        `HEAD /v2/library/node/manifests/22-slim Bearer ${TOKEN}`,
        `GET /v2/library/node/manifests/${digestOf(NODE)} Bearer ${TOKEN}`,
      ])
    },
  )

  test('may redirect a manifest to another host, which gets no token', async () => {
    const elsewhere = await startRegistry()
    for (const [name, body] of registry.tags) elsewhere.tags.set(name, body)
    registry.script = { challenge: bearer, redirect: (path) => elsewhere.url + path }
    const { code } = await pin()
    await elsewhere.close()
    expect([code, found()]).toEqual([0, pinned()])
    expect(elsewhere.asked[0]).toBe('HEAD /v2/library/node/manifests/22-slim')
    expect(elsewhere.asked.join()).not.toContain(TOKEN)
  })
})

test.each<[string, RegistryScript, string]>([
  ['names a digest that is not the hash of its manifest', { digest: OLD, body: NODE }, 'not the hash'],
  ['gives another manifest than it names', { digest: digestOf(NODE), body: indexOf(3) }, 'not the hash'],
  ['names a digest of another kind', { digest: `sha512:${'0'.repeat(128)}` }, 'not one of SHA-256'],
  ['names what would be more than a digest', { digest: `${OLD} AS other` }, 'not one of SHA-256'],
  ['answers with a page', { digest: null, body: '<html></html>' }, 'no manifest'],
  ['answers with a manifest of the first kind', { digest: null, body: '{"schemaVersion":1}' }, 'no manifest'],
  ['answers with too much', { digest: null, body: ' '.repeat(4 * 1024 * 1024 + 1) }, 'more than a manifest'],
  ['does not have the image', { status: 404 }, 'answered 404'],
  ['is overloaded', { status: 503 }, 'answered 503'],
  ['wants an account', { challenge: () => 'Basic realm="registry"' }, 'wants an account'],
  ['wants what it does not name', { challenge: () => '' }, 'wants an account'],
  ['does not take its own token', { challenge: bearer, token: { token: 'another' } }, 'answered 401'],
  ['gives no token', { challenge: bearer, token: { errors: [] } }, 'no token that can be read'],
  [
    'gives a token with a line break',
    { challenge: bearer, token: { token: 'a\r\nb' } },
    'no token that can be read',
  ],
  ['has tokens over plain HTTP', { challenge: () => bearer('http://198.51.100.1') }, 'not HTTPS'],
  ['redirects to plain HTTP', { redirect: (path) => `http://198.51.100.1${path}` }, 'not HTTPS'],
  ['redirects to a file', { redirect: () => 'file:///etc/passwd' }, 'not HTTPS'],
  ['redirects to itself', { redirect: (path) => path }, 'redirects without an end'],
])('a registry that %s is refused, and no file changes', async (_what, script, says) => {
  registry.script = script
  const { code, says: lines } = await pin()
  expect([code, lines[0]]).toEqual([1, expect.stringContaining(says)])
  expect(found()).toEqual(texts(''))
})

test('a digest that the registry omits is computed from the manifest', async () => {
  registry.script = { digest: null }
  expect((await pin()).code).toBe(0)
  expect(found()).toEqual(pinned())
})

test('a registry that cannot be reached is named in one sentence, and no file changes', async () => {
  await registry.close()
  expect(await pin()).toEqual({ code: 2, says: [`Nothing was changed: ${registry.host} cannot be reached.`] })
  expect(found()).toEqual(texts(''))
  lay(`@${OLD}`)
  expect((await pin(true)).code).toBe(2)
})

test('if one image is refused, neither file is written', async () => {
  registry.tags.delete('ollama/ollama:0.12.6')
  expect((await pin()).code).toBe(1)
  expect(found()).toEqual(texts(''))
})

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of compose, not of this file.
test.each(['${REGISTRY}/node:22', 'NODE:22', 'node:22@sha256:short', 'node:22@sha512:0', '../node', 'node/'])(
  'an image named %s is refused without a request',
  async (name) => {
    writeFileSync(join(root, 'Containerfile'), `FROM ${name}\n`)
    expect(await pin()).toEqual({ code: 1, says: [`${name}: not the name of an image`] })
    expect(registry.asked).toEqual([])
  },
)

test.each([
  ['node:22-slim', 'https://registry-1.docker.io/v2', 'library/node', '22-slim', 'node:22-slim'],
  ['node', 'https://registry-1.docker.io/v2', 'library/node', 'latest', 'node:latest'],
  ['ollama/ollama:0.12', 'https://registry-1.docker.io/v2', 'ollama/ollama', '0.12', 'ollama/ollama:0.12'],
  ['docker.io/node:22', 'https://registry-1.docker.io/v2', 'library/node', '22', 'docker.io/node:22'],
  [
    'docker.io/library/node:22',
    'https://registry-1.docker.io/v2',
    'library/node',
    '22',
    'docker.io/library/node:22',
  ],
  ['ghcr.io/a/b/c:v1', 'https://ghcr.io/v2', 'a/b/c', 'v1', 'ghcr.io/a/b/c:v1'],
  ['reg.test:5000/a:v1', 'https://reg.test:5000/v2', 'a', 'v1', 'reg.test:5000/a:v1'],
  ['localhost:5000/a:v1', 'http://localhost:5000/v2', 'a', 'v1', 'localhost:5000/a:v1'],
  [`node:22@${OLD}`, 'https://registry-1.docker.io/v2', 'library/node', '22', 'node:22'],
  [`node@${OLD}`, 'https://registry-1.docker.io/v2', 'library/node', null, 'node'],
])('%s resolves to its registry', (text, api, repository, tag, name) => {
  expect(parseReference(text)).toEqual({
    ...{ api, repository, tag, name },
    digest: text.includes('@') ? OLD : null,
  })
})

test('every image that the repository builds on or runs is found', async () => {
  const tree = join(import.meta.dirname, '../..')
  const read = (file: string): string => readFileSync(join(tree, file), 'utf8')
  const stages = [...read('Containerfile').matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image)
  const { services } = parse(read('compose.yaml')) as {
    services: Record<string, { image: string; build?: unknown }>
  }
  const run = Object.values(services).flatMap(({ image, build }) => (build === undefined ? [image] : []))
  const bare = new Set([...stages, ...run].map((image) => parseReference(image)?.name))
  expect(bare.size).toBe(2)
  for (const file of ['Containerfile', 'compose.yaml'])
    writeFileSync(join(root, file), read(file).replaceAll(/@sha256:\w+/g, ''))
  const { says } = await pinImages({ root, check: true })
  expect(new Set(says)).toEqual(new Set([...bare].map((name) => `${name}: not pinned by a digest`)))
})
