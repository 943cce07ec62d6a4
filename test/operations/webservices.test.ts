/** Naming web services by talking: which words do it, in English and German, and which do not. */
import { expect, it } from 'vitest'
import { operationInMessage } from '../../kernel/operations/commands.ts'

it.each([
  ['allow the host api.example.com', 'webservices.allow', { host: 'api.example.com' }],
  [
    'Allow the host https://api.example.com:8443 as internal with a key in the header X-Api-Key.',
    'webservices.allow',
    { host: 'https://api.example.com:8443', label: 'internal', key: 'a key in the header X-Api-Key' },
  ],
  ['the host 192.168.1.20 needs a key', 'webservices.allow', { host: '192.168.1.20', key: 'a key' }],
  [
    'add api.example.com as a web service with user name and password',
    'webservices.allow',
    { host: 'api.example.com', key: 'user name and password' },
  ],
  [
    'erlaube den Host api.example.com als privat mit einem Schlüssel',
    'webservices.allow',
    { host: 'api.example.com', label: 'privat', key: 'einem Schlüssel' },
  ],
  [
    'save the request https://a.example/t?x=1 as office-temp with the fields temperature:number, door=a.b:open|closed',
    'webservices.save',
    {
      name: 'office-temp',
      address: 'https://a.example/t?x=1',
      fields: 'temperature:number, door=a.b:open|closed',
    },
  ],
  [
    'speichere die Anfrage https://a.example/t als büro temperatur',
    'webservices.save',
    { name: 'büro temperatur', address: 'https://a.example/t' },
  ],
  ['forget the saved request office temp', 'webservices.remove', { what: 'office temp' }],
  ['vergiss den Host api.example.com', 'webservices.remove', { what: 'api.example.com' }],
  ['which hosts did I name?', 'webservices.list', {}],
  ['welche Hosts kennst du', 'webservices.list', {}],
])('%s', (text, name, args) => {
  const said = operationInMessage(text)
  expect(said?.operation.name).toBe(name)
  expect(said?.args ?? {}).toEqual(args)
})

it.each([
  'the host of the party needs a key',
  'allow the host of the party to see my calendar',
  'save https://a.example/t for later',
  'remove the second one',
  'the host api.example.com needs a holiday',
])('"%s" names nothing', (text) => {
  expect(operationInMessage(text)?.operation.name ?? '').not.toMatch(/^webservices/)
})
