import { describe, expect, test } from 'vitest'
import { parseS3Address } from '../../../src/store/s3/s3-blobs.ts'

describe('the address of a storage of objects', () => {
  test('of Amazon is the name of a bucket', () => {
    expect(parseS3Address('s3://bucket')).toEqual({
      bucket: 'bucket',
      prefix: '',
      endpoint: undefined,
      region: undefined,
      pathStyle: false,
      credentials: undefined,
    })
  })

  test('of another server names it, and keys may hold any sign', () => {
    const address =
      's3://AKIA:a%2Fb%2Bc%3D@bucket/some/prefix/?endpoint=https://s3.example.org:9000&region=eu-1&path_style=false'
    expect(parseS3Address(address)).toEqual({
      bucket: 'bucket',
      prefix: 'some/prefix/',
      endpoint: 'https://s3.example.org:9000',
      region: 'eu-1',
      pathStyle: false,
      credentials: { accessKeyId: 'AKIA', secretAccessKey: 'a/b+c=' },
    })
  })

  test('of another server puts the bucket into the path, unless it says otherwise', () => {
    expect(parseS3Address('s3://bucket?endpoint=http://127.0.0.1:9000').pathStyle).toBe(true)
    expect(parseS3Address('s3://bucket?path_style=true').pathStyle).toBe(true)
  })

  test.each([
    ['https://bucket', /must be an address such as s3/],
    ['s3:///prefix', /must be an address such as s3/],
    ['s3://bucket?endpont=http://x', /unknown option "endpont"/],
    ['s3://bucket?endpoint=minio:9000', /must have an endpoint, as in/],
    ['s3://bucket?endpoint=http://host/path', /must have an endpoint, as in/],
    ['s3://bucket?path_style=yes', /path_style=true or path_style=false/],
    ['s3://hunter2@bucket', /both the key and the secret/],
  ])('%s is refused with what is wrong, and no secret', (address, sentence) => {
    expect(() => parseS3Address(address)).toThrow(sentence)
    expect(() => parseS3Address(address)).not.toThrow(/hunter2/)
  })
})
