/** Configuration of the BFF process of `sign-in-crash.test.ts`: hooks that stop at their point. */

const { stopAt } = globalThis;

export default {
  validation: {
    async validate() {
      await stopAt('in validate');
      return { ok: true };
    },
    async onAccepted({ user }) {
      process.stdout.write(`${JSON.stringify({ accepted: user.user_id })}\n`);
      await stopAt('in onAccepted');
    },
  },
};
