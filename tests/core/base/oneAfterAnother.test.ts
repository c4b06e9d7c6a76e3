import { describe, expect, it } from 'vitest';
import { OneAfterAnother } from '../../../src-core/base/oneAfterAnother.ts';

describe('jobs one after another', () => {
  it('begin when the one before has ended, in the order in which they were asked for', async () => {
    const jobs = new OneAfterAnother();
    const seen: string[] = [];
    const first = Promise.withResolvers<undefined>();
    const one = jobs.run(async () => {
      seen.push('one begins');
      await first.promise;
      seen.push('one ends');
      return 1;
    });
    const two = jobs.run(() => {
      seen.push('two');
      return Promise.resolve(2);
    });
    await Promise.resolve();
    first.resolve(undefined);
    expect(await Promise.all([one, two])).toEqual([1, 2]);
    expect(seen).toEqual(['one begins', 'one ends', 'two']);
  });

  it('reject for the caller that failed and continue with the next', async () => {
    const jobs = new OneAfterAnother();
    const failed = jobs.run(() => Promise.reject(new Error('no paper')));
    const next = jobs.run(() => Promise.resolve('printed'));
    await expect(failed).rejects.toThrow('no paper');
    expect(await next).toBe('printed');
  });

  it('are waited for without hearing of their failures', async () => {
    const jobs = new OneAfterAnother();
    const failed = jobs.run(() => Promise.reject(new Error('no paper')));
    await jobs.ended();
    await expect(failed).rejects.toThrow('no paper');
  });
});
