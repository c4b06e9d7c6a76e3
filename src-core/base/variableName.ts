/** The name of a variable of a collection, as written between `{{` and `}}`. Copies of objects lose a member `__proto__`. */
export const variableName = /^(?!__proto__$)[A-Za-z_][\w.-]{0,63}$/;
