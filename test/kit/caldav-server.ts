/**
 * A real server of calendars and address books on this machine: Radicale, with one user and a password. Stops with the test or
 * file that started it. Called by tests of calendars and address books.
 */
import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './folder.ts'
import { freePort } from './server.ts'
import { atEnd } from './stop.ts'

export const HAS_RADICALE = existsSync('/usr/bin/radicale')
export const USER = 'ada'
export const PASSWORD = 'app-password-1'

export interface CaldavServer {
  readonly origin: string
  /** Creates a calendar; returns its path. */
  calendar(name: string, title: string): Promise<string>
  /** Creates an address book; returns its path. */
  addressbook(name: string, title: string): Promise<string>
  /** Writes one resource, as another program would; returns its version. */
  put(path: string, text: string): Promise<string>
  get(path: string): Promise<string>
}

export async function startRadicale(): Promise<CaldavServer> {
  const folder = newFolder('radicale')
  const port = await freePort()
  const [config, users] = [join(folder, 'radicale.conf'), join(folder, 'users')]
  writeFileSync(users, `${USER}:${PASSWORD}\n`)
  writeFileSync(
    config,
    `[server]\nhosts = 127.0.0.1:${port}\n[auth]\ntype = htpasswd\nhtpasswd_filename = ${users}\nhtpasswd_encryption = plain\ndelay = 0\n[storage]\nfilesystem_folder = ${join(folder, 'data')}\n[logging]\nlevel = error\n`,
  )
  const child = spawn('/usr/bin/radicale', ['-C', config], { stdio: 'ignore' })
  atEnd(() => void child.kill('SIGTERM'))
  const origin = `http://127.0.0.1:${port}`
  const authorization = `Basic ${btoa(`${USER}:${PASSWORD}`)}`
  await answering(origin)
  const ask = async (method: string, path: string, body?: string): Promise<Response> => {
    const type = path.endsWith('.vcf') ? 'text/vcard' : method === 'PUT' ? 'text/calendar' : 'application/xml'
    const headers = { authorization, ...(body !== undefined && { 'content-type': type }) }
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body !== undefined && { body }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  return {
    origin,
    async calendar(name, title) {
      const path = `/${USER}/${name}/`
      const set = `<D:set><D:prop><D:displayname>${title}</D:displayname></D:prop></D:set>`
      await ask(
        'MKCALENDAR',
        path,
        `<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${set}</C:mkcalendar>`,
      )
      return path
    },
    async addressbook(name, title) {
      const path = `/${USER}/${name}/`
      const type = '<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>'
      const set = `<D:set><D:prop>${type}<D:displayname>${title}</D:displayname></D:prop></D:set>`
      await ask(
        'MKCOL',
        path,
        `<D:mkcol xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav">${set}</D:mkcol>`,
      )
      return path
    },
    async put(path, text) {
      const answer = await ask('PUT', path, text.replace(/\r?\n/g, '\r\n'))
      return answer.headers.get('etag') ?? ''
    },
    get: async (path) => (await ask('GET', path)).text(),
  }
}

async function answering(origin: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const there = await fetch(origin).then(
      () => true,
      () => false,
    )
    if (there) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('radicale does not answer')
}
