/** What MCP servers ask of the user. */
export const serverRequests = {
  none: '服务器没有请求。',
  failed: '未能发送回答',
  kind: { form: '需要填写的表单', url: '需要打开的网页', 'sign-in': '登录' },
  waiting: '已等待 {time}',
  noPasswords: '你的回答会发送给服务器 {name}。请勿在此输入密码。',
  send: '发送',
  decline: '拒绝',
  cancel: '取消请求',
  open: '打开 {host}',
  signIn: '该服务器需要确认你的身份。请在浏览器中打开此页面登录，完成后会自动返回 Toolwire。',
  opensOutside: '网页会在浏览器中打开。目前尚未加载任何内容。',
  notAPage: '该地址不是网页（http 或 https），无法打开。',
};
