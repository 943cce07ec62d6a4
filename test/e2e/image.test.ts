/**
 * Home from the files of its image alone, in real processes: what the Containerfile copies and nothing else.
 * Without an engine: an image could hold less than home imports, or speak of what it does not hold.
 */
import { execFile, spawn, spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { newFolder } from '../kit/folder.ts'

const ROOT = join(import.meta.dirname, '../..')
let image = ''

beforeAll(() => {
  image = newFolder('image')
  const copied = readFileSync(join(ROOT, 'Containerfile'), 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)
  for (const name of [...copied].flatMap(([, names = '']) => names.split(' ')))
    cpSync(join(ROOT, name), join(image, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(image, 'node_modules'))
})

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

const environment = () => ({
  PATH: process.env['PATH'],
  HOME: image,
  PFAR_HOME: join(image, 'state'),
})

const pfar = (...args: string[]): Promise<Ended> =>
  new Promise((settle) => {
    execFile(
      process.execPath,
      [join(image, 'sidecar/cli/main.js'), ...args],
      { env: environment() },
      (failure, out, err) => settle({ code: failure === null ? 0 : Number(failure.code), out, err }),
    )
  })

test('its packages are installed where nothing but their list is', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const { status } = spawnSync('sh', ['-c', scripts.postinstall], { cwd: newFolder('packages') })
  expect(status).toBe(0)
})

test('is set up, answers, and sends who wants an edge to where one is made', async () => {
  expect(await pfar('ask', 'hello')).toEqual({
    ...{ code: 1, out: '' },
    err: 'Your home box cannot be reached. Start it with `podman compose up -d`.\n',
  })
  const init = await pfar('init', '--yes')
  expect(init).toMatchObject({ code: 0, err: '' })
  expect(init.out).toMatch(/^edge +made in a checkout of PFAR by `pfar deploy`/m)
  expect(init.out).toContain('Start it:   podman compose up -d')
  expect(init.out).not.toContain('npm start')

  const home = spawn(process.execPath, [join(image, 'sidecar/main.js')], {
    env: environment(),
    stdio: 'ignore',
  })
  onTestFinished(() => void home.kill('SIGKILL'))
  const ready = async (): Promise<string> => (await pfar('status')).out
  await expect.poll(ready, { timeout: 30_000 }).toContain('Home box, on this machine')
  const asked = await pfar('ask', 'what can you do?')
  expect(asked).toMatchObject({ code: 0 })
  expect(asked.out).toContain('Mail: "any new mail?"')

  for (const args of [['deploy'], ['deploy', '--dry-run']])
    expect(await pfar(...args)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('This is home alone, without the program of an edge.'),
    })

  expect((await pfar('doctor')).out).toMatch(/edge +This is home alone/)
})
